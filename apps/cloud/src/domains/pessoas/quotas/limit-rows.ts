import { defineLimits } from '@vigia/contracts/limit-rows'
import { limites, tiposLimite } from '@vigia/contracts/limites'

const EXCESS = 'refuses an excess at the Empresa and at each ancestor, and names it'
const counted = { limit: 'limit of the Empresa and of each ancestor', test: EXCESS }

/** Objects that an Empresa creates. */
export const limitRows = defineLimits(
  tiposLimite.map((tipo) => ({
    what: `Objects: ${tipo}`,
    who: 'administrador, key, agent',
    item: { none: 'each field has a length in the contract' },
    connection: { none: 'counted by Empresa' },
    edge: { none: 'counted by Empresa' },
    empresa: { limit: `limit of the Empresa, ${limites[tipo].padrao} by default`, test: EXCESS },
    root: counted,
    installation: { none: 'the operator creates the root Empresas' },
  })),
)
