import { MAX_CAMERAS_INSTALACAO } from '@vigia/contracts/instalacao'
import { defineLimits, none } from '@vigia/contracts/limit-rows'

/** State of an installation. */
export const limitRows = defineLimits([
  {
    what: 'Cameras: state of an installation',
    who: 'login, key',
    item: {
      limit: `${MAX_CAMERAS_INSTALACAO.toLocaleString('en')} cameras of one answer, without paging`,
      test: 'shows at most a thousand cameras, and says that there are more',
    },
    connection: none('three queries; nothing is stored'),
    edge: none('an edge asks for none'),
    empresa: none('its cameras are limited'),
    root: none('its cameras are limited'),
    installation: none('the operator creates the root Empresas'),
  },
])
