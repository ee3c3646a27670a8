import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { CAMERAS_OF_ORDER, ORDERS, ORDERS_OF_EMPRESA } from '../../../db/recolhimentos.ts'

const OLDEST = 'have a limit per Empresa: the oldest ends first, and those of a neighbour stay'

/** Retained messages at brokers of customers. */
export const limitRows = defineLimits([
  {
    what: 'Messages: orders to take them back',
    who: 'administrador who removes or changes canais and cameras',
    item: {
      limit: `${CAMERAS_OF_ORDER} cameras; repeated after 5 s to 1 h, for seven days`,
      test: 'have a limit of cameras',
    },
    connection: {
      limit: 'one order or message at a time to a server',
      test: 'sends one message at a time to a server, and to several servers concurrently',
    },
    edge: none('an edge has no canal'),
    empresa: { limit: `${ORDERS_OF_EMPRESA}; the oldest ends`, test: OLDEST },
    root: none('its Empresas are limited, and the installation as a whole'),
    installation: {
      limit: `${ORDERS}; the oldest of the Empresa with the most ends`,
      test: 'end those of the Empresa with the most at the limit of the installation',
    },
  },
])
