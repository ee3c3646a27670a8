import { byteSize, defineLimits, type LimitCell } from '@vigia/contracts/limit-rows'
import { MAX_QUEUED, MAX_QUEUED_ITEMS, MESSAGE_BYTES, RATES } from '@vigia/link/limits'
import type { TopicName } from '@vigia/link/topics'
import { AT_ONCE, AT_ONCE_OF_ROOT, ratesFor } from './pace.ts'

const MIB = 1024 * 1024

const TWENTY = 'limits the records of all boxes of an Empresa together, and not a neighbour'
const LEVELS = 'bounds an edge, an Empresa and a root, each by its own rate after a burst'
const SHARES = 'bounds what an edge, an Empresa and a root hold, and the sum'
const oneSession = { none: 'one session of an edge at a time' }

const records = ratesFor(1_000)
const bytes = ratesFor(4 * MIB)
const rateOf = (level: keyof typeof records) => `${records[level]} records and ${byteSize(bytes[level])} a second by default`

/** Cells that all topics share whose messages wait for a turn. */
const inTurns = {
  connection: oneSession,
  edge: { limit: rateOf('edge'), test: 'does not delay other edges' },
  empresa: { limit: rateOf('empresa'), test: TWENTY },
  root: {
    limit: `${rateOf('root')}; ${AT_ONCE_OF_ROOT} at once`,
    test: 'one root never occupies every slot',
  },
  installation: {
    limit: `${AT_ONCE} at once, in turns of root, Empresa, edge`,
    test: 'runs one batch of a neighbour for each batch of twenty boxes of one root',
  },
}

/** Cells of the topics whose messages are handled when they arrive. */
const whenTheyArrive = {
  connection: oneSession,
  edge: {
    limit: `${RATES.packets.edge} messages and ${byteSize(RATES.bytes.edge)} a second`,
    test: 'drops the answers and pictures of an Empresa above its rate, and takes those of a neighbour',
  },
  empresa: {
    limit: `${RATES.packets.empresa} messages and ${byteSize(RATES.bytes.empresa)} a second`,
    test: 'drops the answers and pictures of an Empresa above its rate, and takes those of a neighbour',
  },
  root: { limit: `${RATES.packets.root} messages and ${byteSize(RATES.bytes.root)} a second`, test: LEVELS },
  installation: {
    limit: 'the broker passes on as much as the cloud reads, in turns',
    test: 'passes on a publication of a neighbour for each of twenty boxes of a root, while the cloud is slow',
  },
}

const WITHIN = '%s accepts at most %i bytes'
const item = (name: TopicName, limit: string, test: string): { readonly what: string; readonly item: LimitCell } => ({
  what: `Link: ${name}`,
  item: { limit, test },
})

/** Messages of edges over the broker. */
export const limitRows = defineLimits([
  { ...item('candidatos', `${byteSize(MESSAGE_BYTES.candidatos)}, 256 records`, 'fits the largest message of %s'), who: 'edge', ...inTurns },
  { ...item('extras', byteSize(MESSAGE_BYTES.extras), 'fits the largest message of %s'), who: 'edge', ...inTurns },
  { ...item('relato', byteSize(MESSAGE_BYTES.relato), WITHIN), who: 'edge', ...inTurns },
  { ...item('presenca', byteSize(MESSAGE_BYTES.presenca), WITHIN), who: 'edge', ...inTurns },
  { ...item('renovacao', byteSize(MESSAGE_BYTES.renovacao), WITHIN), who: 'edge', ...inTurns },
  { ...item('respostas', byteSize(MESSAGE_BYTES.respostas), WITHIN), who: 'edge', ...whenTheyArrive },
  { ...item('aovivo', byteSize(MESSAGE_BYTES.aovivo), WITHIN), who: 'edge', ...whenTheyArrive },
  {
    what: 'Link: memory of messages that wait in the cloud',
    who: 'edge',
    item: { limit: byteSize(MESSAGE_BYTES.candidatos), test: 'fits the largest message of %s' },
    connection: oneSession,
    edge: { limit: `${byteSize(MAX_QUEUED.edge)}, ${MAX_QUEUED_ITEMS} batches`, test: SHARES },
    empresa: {
      limit: byteSize(MAX_QUEUED.empresa),
      test: 'twenty edges of one Empresa take no more memory than an Empresa may',
    },
    root: { limit: byteSize(MAX_QUEUED.root), test: SHARES },
    installation: { limit: `${byteSize(MAX_QUEUED.installation)} in each process`, test: SHARES },
  },
])
