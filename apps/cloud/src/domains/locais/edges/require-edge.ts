import type { Database } from '../../../db/open.ts'
import { type Caller, inScope, notFound } from '../../../http/caller.ts'
import { type EdgeRow, findEdge } from './store.ts'

/**
 * The edge's row. Only the operator may change the local edge, because it serves many Empresas.
 * @throws VigiaError `nao_encontrado`.
 */
export async function requireEdge(db: Database, caller: Caller, id: number): Promise<EdgeRow> {
  const row = await findEdge(db, id)
  const visible = row && (row.empresa_id === null ? caller.escopo === 'tudo' : inScope(caller, row.empresa_id))
  if (!row || !visible) throw notFound('Caixa não encontrada.')
  return row
}
