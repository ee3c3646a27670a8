import type { PassagensExportarQuery } from '@vigia/contracts/passagens'
import type { Database } from '../../../db/open.ts'
import { type Caller, withPlates } from '../../../http/caller.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { similarPatterns } from './similar-patterns.ts'
import type { PassagensFilter } from './store.ts'

/**
 * The filter of a query, within the scope of the caller.
 * @throws VigiaError `nao_encontrado` (Empresa out of scope), `proibido` (no plates to see), `validacao` (period)
 */
export async function readFilter(
  db: Database,
  caller: Caller,
  {
    empresa_id,
    camera_id,
    placa,
    semelhantes,
    com_placa,
    sem_placa,
    situacao,
    veiculo,
    cor,
    desde,
    ate,
  }: PassagensExportarQuery,
): Promise<PassagensFilter> {
  const period = readPeriod({ desde, ate })
  return {
    empresas: withPlates(caller, await narrowScope(db, caller, empresa_id)),
    cameraId: camera_id,
    placas: placa === undefined ? undefined : similarPatterns(placa, semelhantes),
    comPlaca: com_placa,
    semPlaca: sem_placa,
    situacao,
    veiculo,
    cor,
    ...period,
  }
}
