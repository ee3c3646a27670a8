import type { Queda, QuedasQuery } from '@vigia/contracts/eventos'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { type QuedaFilter, quedasOf } from './store.ts'
import { viewQueda } from './view-queda.ts'

/**
 * Returns one page of the quedas in scope, newest first, and their total. Every caller sees those of the cloud. Only
 * the operator sees those of the local edge, which belongs to no Empresa.
 * @throws VigiaError `nao_encontrado` (Empresa out of scope).
 */
export async function listVisibleQuedas(
  { db }: { readonly db: Database },
  caller: Caller,
  { empresa_id, edge_id, camera_id, abertas, ...page }: QuedasQuery,
): Promise<Page<Queda>> {
  const filter: QuedaFilter = {
    empresas: await narrowScope(db, caller, empresa_id),
    edgeId: edge_id,
    cameraId: camera_id,
    abertas: abertas === undefined ? undefined : abertas === 'true',
  }
  return readPage(quedasOf(db, filter), page, viewQueda)
}
