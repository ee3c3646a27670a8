import { MAX_PALAVRAS } from '@vigia/contracts/busca'
import { defineLimits, none } from '@vigia/contracts/limit-rows'

/** Words of a search. */
export const limitRows = defineLimits([
  {
    what: 'Search: words, and records that a page reads',
    who: 'login, key, agent',
    item: {
      limit: `${MAX_PALAVRAS} words`,
      test: 'ends a page without results after a bounded number of records',
    },
    connection: none('one request at a time (HTTP/1.1)'),
    edge: none('an edge searches nothing'),
    empresa: none('its requests take turns (Requests: processor time)'),
    root: none('its requests take turns (Requests: processor time)'),
    installation: none('the roots take turns'),
  },
])
