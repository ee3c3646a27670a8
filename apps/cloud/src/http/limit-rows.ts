import { defineLimits } from '@vigia/contracts/limit-rows'
import { CHUNK } from './list-answer.ts'

/** Answers of the HTTP application. */
export const limitRows = defineLimits([
  {
    what: 'Lists of cameras, edges, gravadores, logins: memory of an answer',
    who: 'login, key, agent',
    item: { limit: `${CHUNK} rows at once`, test: 'is read in chunks' },
    connection: {
      limit: 'one whole list of a login at a time, 8 wait',
      test: 'of a login waits for the one before it, and is refused when too many wait',
    },
    edge: { none: 'an edge requests no list' },
    empresa: { none: 'each login of an Empresa holds one chunk, and logins have a limit' },
    root: { none: 'as for an Empresa' },
    installation: { none: 'one chunk for each login' },
  },
])
