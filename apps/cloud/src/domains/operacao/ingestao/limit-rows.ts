import { byteSize, defineLimits, type LimitCell } from '@vigia/contracts/limit-rows'
import { MAX_QUEUED, MAX_QUEUED_ITEMS, MESSAGE_BYTES, RATES } from '@vigia/link/limits'
import type { TopicName } from '@vigia/link/topics'
import { AT_ONCE, AT_ONCE_OF_ROOT, ratesFor } from './ingest-turns.ts'
import { MAX_GAPS } from './lacunas-store.ts'

const MIB = 1024 * 1024

const TWENTY = 'limits the records of all boxes of an Empresa together, and not a neighbour'
const LEVELS = 'bounds an edge, an Empresa and a root, each by its own rate after a burst'
const SHARES = 'bounds what an edge, an Empresa and a root hold, and the sum'
const oneSession = { none: 'one session of an edge at a time' }

const records = ratesFor(1_000)
const bytes = ratesFor(4 * MIB)
const rateOf = (level: keyof typeof records) =>
  `${records[level]} records and ${byteSize(bytes[level])} a second by default`

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

const byCamera = { none: 'counted by camera' }
const CAMERAS = { none: 'its cameras are limited' }
const ofRoots = { none: 'the operator creates the root Empresas' }

/** Messages of edges over the broker, and the records that they leave. */
export const limitRows = defineLimits([
  {
    ...item('candidatos', `${byteSize(MESSAGE_BYTES.candidatos)}, 256 records`, 'fits the largest message of %s'),
    who: 'edge',
    ...inTurns,
  },
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
  {
    what: 'Records: events and passages',
    who: 'edge',
    item: {
      limit: '1 MiB of text in a batch',
      test: 'is rejected when its header is longer than the message or than the limit',
    },
    connection: oneSession,
    edge: { limit: `${rateOf('edge')}, until their age`, test: 'does not delay other edges' },
    empresa: { limit: `${rateOf('empresa')}, until their age`, test: TWENTY },
    root: { limit: `${rateOf('root')}, until their age`, test: LEVELS },
    installation: {
      limit: 'free space of the disk: VIGIA_DISCO_MINIMO_MB',
      test: 'does not confirm a batch, so that the edge keeps it',
    },
  },
  {
    what: 'Records: bytes of events and passages in the database',
    who: 'edge',
    item: {
      limit: '1 MiB of text in a batch',
      test: 'is rejected when its header is longer than the message or than the limit',
    },
    connection: { none: 'counted by Empresa' },
    edge: { none: 'counted by Empresa' },
    empresa: {
      limit: 'limite_bytes of it and of each ancestor counts them',
      test: 'boxes wait with events and passages without pictures too, until records are deleted',
    },
    root: {
      limit: 'limite_bytes, or its share of the disk',
      test: 'a root above its equal share waits while the disk is nearly full',
    },
    installation: {
      limit: 'free space of the disk: VIGIA_DISCO_MINIMO_MB',
      test: 'does not confirm a batch, so that the edge keeps it',
    },
  },
  {
    what: 'Records: verified events of a minute',
    who: 'edge',
    item: byCamera,
    connection: byCamera,
    edge: {
      limit: 'its budget; more are stored, marked and verified last',
      test: 'keeps the edge budget available to the other cameras, which share it',
    },
    empresa: { none: 'the work queue takes turns of root and Empresa' },
    root: {
      limit: 'its items in progress',
      test: 'limits concurrent items in total, per root and per Empresa',
    },
    installation: { limit: 'items in progress', test: 'limits concurrent items in total, per root and per Empresa' },
  },
  {
    what: 'Records: discarded candidates',
    who: 'edge',
    item: { limit: 'seven days', test: 'is deleted with its picture after seven days, and with its camera' },
    connection: {
      limit: '600 an hour and 5,000 in all of one camera',
      test: 'is refused for a camera of another edge, with undeclared bytes, and above 600 an hour',
    },
    edge: CAMERAS,
    empresa: CAMERAS,
    root: CAMERAS,
    installation: ofRoots,
  },
  {
    what: 'Records: later pictures and clips of an event',
    who: 'edge',
    item: {
      limit: '4 pictures of an event',
      test: 'a fifth picture, and the pictures of an event above the budget of its camera',
    },
    connection: { none: 'counted by event' },
    edge: { none: 'counted by event' },
    empresa: { none: 'counted by event; their bytes count (Disk: pictures)' },
    root: { none: 'counted by event' },
    installation: ofRoots,
  },
  {
    what: 'Records: gaps in the numbers of a camera',
    who: 'edge',
    item: byCamera,
    connection: {
      limit: `${MAX_GAPS} of one camera`,
      test: 'bounds the rows of many jumps and keeps the number of missing events',
    },
    edge: {
      limit: 'at most 256 missing numbers wait',
      test: 'answers fora_de_ordem if a record would split the expected numbers into too many runs',
    },
    empresa: CAMERAS,
    root: CAMERAS,
    installation: ofRoots,
  },
  {
    what: 'Records: reserved ids of events',
    who: 'edge',
    item: { none: 'a number' },
    connection: {
      limit: '10,000 of one camera',
      test: 'are limited for one camera and never delay its live event',
    },
    edge: {
      limit: 'its account',
      test: 'are limited for an edge and for all Empresas of one tree together',
    },
    empresa: { none: 'counted by root' },
    root: {
      limit: 'its account',
      test: 'are limited for an edge and for all Empresas of one tree together',
    },
    installation: {
      limit: 'ids of 53 bits',
      test: 'never exceeds the limit for any order of takes, releases and waits',
    },
  },
])
