import type { AuditoriaQuery, RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { countRecords, listRecords, type RecordFilter } from './store.ts'
import { viewRegistro } from './view-registro.ts'

interface RecordPage {
  readonly registros: RegistroAuditoria[]
  /** Number on all pages together. */
  readonly total: number
  /** Cursor of the next page; null on the last page. */
  readonly proximo: string | null
}

/**
 * One page of the changes in the caller's scope, newest first. Only the operator sees records without an Empresa (the
 * installation, its operators). The cursor is the last record shown, so that new records do not shift the pages.
 * @throws VigiaError `proibido` (a `usuario`), `nao_encontrado` (an Empresa out of scope), `validacao`.
 */
export async function listVisibleRecords(
  { db }: { readonly db: Database },
  caller: Caller,
  query: AuditoriaQuery,
): Promise<RecordPage> {
  requireWrite(caller)
  const page = rowsOfPage(query)
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
  const total = await countRecords(db, filter)
  const { shown, proximo } = cutPage(await listRecords(db, filter, page), query.limit)
  return { registros: shown.map(viewRegistro), total, proximo }
}
