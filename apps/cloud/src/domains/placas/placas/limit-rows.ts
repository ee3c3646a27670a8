import { byteSize, defineLimits, none } from '@vigia/contracts/limit-rows'
import { MAX_PLACAS } from '@vigia/contracts/placas'
import { IMPORT_BYTES } from './csv-routes.ts'

const FULL = 'changes nothing when one line is wrong, or the lists become too long'

/** Lists of plates. */
export const limitRows = defineLimits([
  {
    what: 'Plates: entries of the lists',
    who: 'administrador, key',
    item: { limit: `${byteSize(IMPORT_BYTES)} of an import`, test: 'refuses more plates than the lists hold' },
    connection: none('counted by Empresa'),
    edge: none('an edge has none'),
    empresa: { limit: MAX_PLACAS.toLocaleString('en'), test: FULL },
    root: none('counted by Empresa'),
    installation: none('counted by Empresa'),
  },
])
