import { byteSize, defineLimits } from '@vigia/contracts/limit-rows'
import { DECODING_CHILD_BYTES } from '@vigia/runtime/process-memory'
import { COPIES_AT_ONCE, COPIES_OF_ROOT, COPY_MS, SLOW_AT_ONCE, SLOW_COPY_MS } from './copy-clips.ts'

const LISTS = 'stores that the events of a list have no clip, up to four lists of a message'
const TURNS = 'makes the copy of a neighbour while those of another root Empresa take all their time'
const SLOW = 'makes the copies of other root Empresas while those of two hang in turn'
const root = { none: 'counted by root Empresa' }

/** H.264 copies of clips, which the cloud decodes. */
export const limitRows = defineLimits([
  {
    what: 'Copies of clips: processor time',
    who: 'login, key',
    item: {
      limit: `${COPY_MS / 1_000} s, then again as a slow one for ${SLOW_COPY_MS / 1_000} s`,
      test: SLOW,
    },
    connection: root,
    edge: root,
    empresa: root,
    root: { limit: `${COPIES_OF_ROOT} at a time, in turns`, test: TURNS },
    installation: {
      limit: `${COPIES_AT_ONCE} at a time on each replica, and ${SLOW_AT_ONCE} slow one; none waits for a slow one`,
      test: SLOW,
    },
  },
  {
    what: 'Copies of clips: a clip that arrives slowly from the object store',
    who: 'login, key',
    item: {
      limit: 'the time of its copy',
      test: 'is given up within the time of its copy, and leaves no file',
    },
    connection: root,
    edge: root,
    empresa: root,
    root: { none: 'one copy at a time' },
    installation: { none: 'the number of copies at a time is limited' },
  },
  {
    what: 'Copies of clips: memory of the process',
    who: 'edge',
    item: { limit: byteSize(DECODING_CHILD_BYTES), test: 'kills a child above its memory' },
    connection: root,
    edge: root,
    empresa: root,
    root: { none: 'one copy at a time' },
    installation: { none: 'the number of copies at a time is limited' },
  },
  {
    what: 'Lists of events without a clip (sem_clipes)',
    who: 'edge',
    item: { limit: '64 events', test: LISTS },
    connection: { limit: '4 in a message', test: LISTS },
    edge: { none: 'the rate of messages of an edge is limited' },
    empresa: { none: 'counted by edge' },
    root: { none: 'counted by edge' },
    installation: { none: 'counted by edge' },
  },
])
