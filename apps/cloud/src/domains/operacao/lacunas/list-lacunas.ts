import type { LacunasQuery, LacunaVista } from '@vigia/contracts/eventos'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { countGaps, type LacunaFilter, listGaps } from './store.ts'
import { viewLacuna } from './view-lacuna.ts'

/**
 * One page of the lacunas of the cameras in scope, newest first, with their total.
 * @throws VigiaError `nao_encontrado` (an Empresa out of scope).
 */
export async function listVisibleGaps(
  { db }: { readonly db: Database },
  caller: Caller,
  { empresa_id, edge_id, camera_id, ...page }: LacunasQuery,
): Promise<{ readonly lacunas: LacunaVista[]; readonly total: number; readonly proximo: string | null }> {
  const empresas = await narrowScope(db, caller, empresa_id)
  const filter: LacunaFilter = { empresas, edgeId: edge_id, cameraId: camera_id }
  const total = await countGaps(db, filter)
  const { shown, proximo } = cutPage(await listGaps(db, filter, rowsOfPage(page)), page.limit)
  return { lacunas: shown.map(viewLacuna), total, proximo }
}
