import { byteSize, defineLimits, none } from '@vigia/contracts/limit-rows'
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
])
