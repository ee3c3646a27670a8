import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { BOXES } from '@vigia/vision/draw-boxes'
import { DRAW_MS } from '../../../adapters/box-drawer/box-drawer.ts'

const OWN = 'a message that is refused (%i) pauses its own Empresa only'
const SLOTS = 'leaves slots for other destinations, even if many fail, and after a restart'

/** Messages to people and to other programs. */
export const limitRows = defineLimits([
  {
    what: 'Messages: failures at a destination',
    who: 'canal of an Empresa',
    item: { limit: 'repeated after 5 s to 1 h, for a day', test: 'is abandoned after a day, not earlier' },
    connection: {
      limit: 'one message at a time to a server',
      test: 'sends one message at a time to a server, and to several servers concurrently',
    },
    edge: { none: 'an edge sends no message' },
    empresa: { limit: 'a refused message defers those of its Empresa, at most 5 min', test: OWN },
    root: { limit: '2 of 3 slots', test: SLOTS },
    installation: {
      limit: 'failures of the service defer all, at most 5 min',
      test: 'a service that fails (%i) pauses every Empresa that sends there',
    },
  },
  {
    what: 'Messages: pictures with a box drawn',
    who: 'canal of an Empresa',
    item: {
      limit: `${BOXES} boxes, 1920 px, ${DRAW_MS / 1000} s; else the picture as it is`,
      test: 'leaves a picture as it is when the process %s',
    },
    connection: none('a message has one picture'),
    edge: none('an edge sends no message'),
    empresa: none('bounded with the deliveries of the Empresa'),
    root: none('bounded with the deliveries of the root'),
    installation: {
      limit: 'one process, one picture at a time',
      test: 'draws in a process of its own, also several pictures at once',
    },
  },
])
