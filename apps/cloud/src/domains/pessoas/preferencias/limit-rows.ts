import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { MAX_CAMERAS_MOSAICO, MAX_FRASES, MAX_MOSAICOS } from '@vigia/contracts/preferencias'

/** Settings that a login keeps for its screens. */
export const limitRows = defineLimits([
  {
    what: 'Access: phrases and layouts of a login',
    who: 'login',
    item: {
      limit:
        `${MAX_FRASES} phrases of 120 characters, ${MAX_MOSAICOS} layouts of ${MAX_CAMERAS_MOSAICO} cameras; ` +
        'one row of each login',
      test: 'has bounds',
    },
    connection: none('a write replaces the row'),
    edge: none('an edge has none'),
    empresa: none('counted by its logins'),
    root: none('counted by its logins'),
    installation: none('counted by its logins'),
  },
])
