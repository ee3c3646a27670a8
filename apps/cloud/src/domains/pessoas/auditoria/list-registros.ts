import type { AuditoriaQuery, RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { type RecordFilter, recordsOf } from './store.ts'
import { viewRegistro } from './view-registro.ts'

/**
 * One page of the changes in the caller's scope, newest first. Only the operator sees records without an Empresa (the
 * installation, its operators). The cursor is the last record shown, so that new records do not shift the pages.
 * @throws VigiaError `proibido` (a `usuario`), `nao_encontrado` (an Empresa out of scope), `validacao`.
 */
export async function listVisibleRecords(
  { db }: { readonly db: Database },
  caller: Caller,
  query: AuditoriaQuery,
): Promise<Page<RegistroAuditoria>> {
  requireWrite(caller)
  const period = readPeriod(query)
  const filter: RecordFilter = {
    empresas: await narrowScope(db, caller, query.empresa_id),
    usuarioId: query.usuario_id,
    objeto: query.objeto,
    objetoId: query.objeto_id,
    acao: query.acao,
    canal: query.canal,
    ...period,
  }
  return readPage(recordsOf(db, filter), query, viewRegistro)
}
