import { MAX_GRAVACOES_GRAVADOR, MAX_GRAVACOES_LOGIN } from '@vigia/contracts/gravacoes'
import { defineLimits, none } from '@vigia/contracts/limit-rows'

const FETCHES = 'limits the fetches of a login, and ends one that is removed'

/** Parts of the archive of a recorder that a person fetches. */
export const limitRows = defineLimits([
  {
    what: 'Recordings: fetches in progress',
    who: 'login, key, agent',
    item: none('15 minutes, by the contract; deleted after seven days'),
    connection: { limit: `${MAX_GRAVACOES_LOGIN} of one login`, test: FETCHES },
    edge: { limit: `${MAX_GRAVACOES_GRAVADOR} of one recorder`, test: FETCHES },
    empresa: none('its logins and recorders are limited; its bytes count (Disk: clips, recordings, copies)'),
    root: none('as for an Empresa'),
    installation: none('as for an Empresa'),
  },
])
