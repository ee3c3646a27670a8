import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { MOST_PROVAS } from './prova-store.ts'

/** Records of cameras. */
export const limitRows = defineLimits([
  {
    what: 'Cameras: records of walk tests',
    who: 'administrador, key',
    item: none('50 events, by the code'),
    connection: {
      limit: `${MOST_PROVAS.toLocaleString('en')} of one camera; a further one replaces the oldest`,
      test: 'are at most a thousand of a camera: a further one replaces the oldest',
    },
    edge: none('an edge makes none'),
    empresa: none('its cameras are limited'),
    root: none('its cameras are limited'),
    installation: none('the operator creates the root Empresas'),
  },
])
