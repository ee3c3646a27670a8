import { byteSize, defineLimits } from '@vigia/contracts/limit-rows'
import { MAX_WAITING_BYTES } from './intake.ts'
import { TURN_OF } from './lane-turns.ts'

const one = { none: 'an outbox belongs to one edge' }
const KEPT = 'keeps new fire events on a full disk behind thousands of notes about clips'

/** Events and extras that an edge holds until the cloud has confirmed them. */
export const limitRows = defineLimits([
  {
    what: 'Outbox: bytes on the disk of the edge',
    who: 'camera',
    item: { none: 'the contract limits the pictures of an event' },
    connection: one,
    edge: { limit: 'VIGIA_OUTBOX_MAX_MB and the free space of the disk', test: KEPT },
    empresa: one,
    root: one,
    installation: one,
  },
  {
    what: 'Outbox: memory of events while the disk fails',
    who: 'camera',
    item: { none: 'the contract limits the pictures of an event' },
    connection: one,
    edge: { limit: byteSize(MAX_WAITING_BYTES), test: 'bounds the number of losses while it drops for a long time' },
    empresa: one,
    root: one,
    installation: one,
  },
  {
    what: 'Link: messages of higher lanes before one of the lowest',
    who: 'edge',
    item: { none: 'the link limits the size of a message' },
    connection: {
      limit: `${TURN_OF - 1} messages`,
      test: 'sends one message of extras among eight while events never leave the line free',
    },
    edge: one,
    empresa: one,
    root: one,
    installation: one,
  },
])
