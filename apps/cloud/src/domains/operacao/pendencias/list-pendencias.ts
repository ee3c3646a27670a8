import type { Pendencia, PendenciasQuery } from '@vigia/contracts/pendencias'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { countStopped, listStopped, readSubjects } from './store.ts'
import { viewPendencia } from './view-pendencia.ts'

/**
 * Returns one page of the stopped work in scope, newest first. @throws VigiaError `proibido`, `nao_encontrado`
 * (Empresa), `validacao`.
 */
export async function listPendencias(
  { db }: { readonly db: Database },
  caller: Caller,
  query: PendenciasQuery,
): Promise<{ readonly pendencias: Pendencia[]; readonly total: number; readonly proximo: string | null }> {
  requireWrite(caller)
  const filter = { empresas: await narrowScope(db, caller, query.empresa_id), tipo: query.tipo }
  const total = await countStopped(db, filter)
  const { shown, proximo } = cutPage(await listStopped(db, filter, rowsOfPage(query)), query.limit)
  const subjects = await readSubjects(db, shown)
  return { pendencias: shown.map((row) => viewPendencia(row, subjects)), total, proximo }
}
