import { MAX_ALCANCE } from '@vigia/contracts/alcance'
import { defineLimits, none } from '@vigia/contracts/limit-rows'

/** Lists of Empresas of logins, invitations, quiosques and keys. */
export const limitRows = defineLimits([
  {
    what: 'Access: Empresas of a reach',
    who: 'administrador',
    item: { limit: `${MAX_ALCANCE}`, test: 'is a list of existing Empresas in scope, at most 500' },
    connection: none('each object has one list'),
    edge: none('an edge has none'),
    empresa: none('its logins, keys, quiosques and invitations are limited'),
    root: none('its logins, keys, quiosques and invitations are limited'),
    installation: none('the operator creates the root Empresas'),
  },
])
