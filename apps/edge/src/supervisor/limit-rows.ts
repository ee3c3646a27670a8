import { byteSize, defineLimits } from '@vigia/contracts/limit-rows'
import { DECODING_CHILD_BYTES } from '@vigia/runtime/process-memory'
import { MOST_HOSTS } from './host-limit-store.ts'
import { LOGINS_PER_HOUR } from './host-logins.ts'
import { LEAST_SHARE_BYTES, PART_OF_MEMORY } from './memory-shares.ts'

const SHARE = 'kills a process above its share of memory, and says what to do about its only camera'
const boxes = { none: 'each edge runs on a machine of its own' }

/** Processes of the edge that decode what cameras send. */
export const limitRows = defineLimits([
  {
    what: 'Capture process: memory',
    who: 'camera, recorder',
    item: { none: 'the decoder of each stream has a budget' },
    connection: { none: 'the decoder of each stream has a budget' },
    edge: {
      limit: `${100 * PART_OF_MEMORY} % of the memory, shared by the cameras, at least ${byteSize(LEAST_SHARE_BYTES)}`,
      test: SHARE,
    },
    empresa: boxes,
    root: boxes,
    installation: boxes,
  },
  {
    what: 'Login that a recorder refuses: attempts of the analysis',
    who: 'edge',
    item: { limit: `${LOGINS_PER_HOUR} an hour at a host`, test: 'allows four refused logins in any hour: %s' },
    connection: { none: 'one login' },
    edge: { none: 'hosts are bounded by the cameras' },
    empresa: boxes,
    root: boxes,
    installation: boxes,
  },
  {
    what: 'Process of single pictures or of a covered recording: memory',
    who: 'camera, recorder',
    item: { limit: byteSize(DECODING_CHILD_BYTES), test: 'kills a child above its memory' },
    connection: { none: 'one process' },
    edge: { none: 'one process of each kind' },
    empresa: boxes,
    root: boxes,
    installation: boxes,
  },
  {
    what: 'Devices whose largest number of connections an edge has learned',
    who: 'device',
    item: { limit: 'seven days', test: 'keeps what it learned for seven days, without the address of the device' },
    connection: { none: 'one row of each host' },
    edge: { limit: `${MOST_HOSTS}; the oldest ends`, test: 'bounds the number of hosts' },
    empresa: boxes,
    root: boxes,
    installation: boxes,
  },
])
