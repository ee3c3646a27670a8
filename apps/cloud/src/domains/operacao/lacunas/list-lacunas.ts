import type { LacunasQuery, LacunaVista } from '@vigia/contracts/eventos'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { gapsOf, type LacunaFilter } from './store.ts'
import { viewLacuna } from './view-lacuna.ts'

/**
 * One page of the lacunas of the cameras in scope, newest first, with their total.
 * @throws VigiaError `nao_encontrado` (an Empresa out of scope).
 */
export async function listVisibleGaps(
  { db }: { readonly db: Database },
  caller: Caller,
  { empresa_id, edge_id, camera_id, ...page }: LacunasQuery,
): Promise<Page<LacunaVista>> {
  const empresas = await narrowScope(db, caller, empresa_id)
  const filter: LacunaFilter = { empresas, edgeId: edge_id, cameraId: camera_id }
  return readPage(gapsOf(db, filter), page, viewLacuna)
}
