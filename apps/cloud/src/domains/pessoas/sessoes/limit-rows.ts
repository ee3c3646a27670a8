import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { MOST_SESSIONS } from './store.ts'

/** Sessions of logins and quiosques. */
export const limitRows = defineLimits([
  {
    what: 'Access: sessions',
    who: 'login',
    item: none('a token of 256 bits, and 200 characters of the browser'),
    connection: {
      limit: `${MOST_SESSIONS} of one login, for 12 hours; a further one ends the oldest`,
      test: 'are at most a hundred: a further sign-in ends the oldest',
    },
    edge: none('an edge has no session'),
    empresa: none('its logins are limited'),
    root: none('its logins are limited'),
    installation: none('the operator creates the root Empresas'),
  },
  {
    what: 'Access: cookies of a request',
    who: 'everybody',
    item: none('the header of a request has at most 16 KiB (Node.js)'),
    connection: {
      limit: '8 session cookies are checked',
      test: 'finds the valid one among several session cookies, up to a limit',
    },
    edge: none('an edge sends no cookie'),
    empresa: none('counted by request'),
    root: none('counted by request'),
    installation: none('counted by request'),
  },
])
