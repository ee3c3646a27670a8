import { byteSize, defineLimits, none } from '@vigia/contracts/limit-rows'
import { BOXES } from '@vigia/vision/draw-boxes'
import { DRAW_MS } from '../../../adapters/box-drawer/box-drawer.ts'
import { BODY_LIMIT } from '../../../http/body.ts'
import { MOST_MESSAGES } from './messages.ts'
import { MOST_OPEN } from './routes.ts'

/** The protocol of agents, which has no sessions. */
export const limitRows = defineLimits([
  {
    what: 'Agents: calls in progress (MCP)',
    who: 'agent',
    item: {
      limit: `${byteSize(BODY_LIMIT)}, ${MOST_MESSAGES} messages of a batch`,
      test: 'reads JSON within limits and rejects other bodies with errors of the protocol',
    },
    connection: { limit: `${MOST_OPEN} of one authorization`, test: 'is limited in concurrent calls' },
    edge: none('an edge calls no tool'),
    empresa: none('its agents are limited, and its requests take turns'),
    root: none('its agents are limited, and its requests take turns'),
    installation: none('the roots take turns'),
  },
  {
    what: 'Agents: pictures with a box drawn',
    who: 'agent',
    item: {
      limit: `${BOXES} boxes, 1920 px, ${DRAW_MS / 1000} s; else the picture as it is`,
      test: 'leaves a picture as it is when the process %s',
    },
    connection: none('bounded with the calls in progress'),
    edge: none('an edge calls no tool'),
    empresa: none('its calls take turns'),
    root: none('its calls take turns'),
    installation: {
      limit: 'one process, one picture at a time; not the one of messages',
      test: 'draws in a process of its own, also several pictures at once',
    },
  },
])
