import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { MAX_DIAS_LIVRO, MAX_LIVRO, MAX_PASSAGEM } from '@vigia/contracts/livro'

/** Reading the book of occurrences. The records that hand-overs leave bound their number. */
export const limitRows = defineLimits([
  {
    what: 'Records: book of occurrences',
    who: 'login, key, agent',
    item: {
      limit: `${MAX_DIAS_LIVRO} days and ${MAX_LIVRO} entries of one answer; ${MAX_PASSAGEM} characters of a hand-over`,
      test: 'says that a period has more than its bound',
    },
    connection: none('one request at a time (HTTP/1.1)'),
    edge: none('an edge writes none'),
    empresa: none('hand-overs end with the events; each leaves a record (Records: audit log)'),
    root: none('its requests take turns (Requests: processor time)'),
    installation: none('the roots take turns'),
  },
])
