import type { Database } from '../../../../db/open.ts'
import type { GravacaoRow } from '../../../../db/rows.ts'
import { type Caller, notFound, scopeIds } from '../../../../http/caller.ts'
import { findGravacao } from './store.ts'

/** @throws VigiaError `nao_encontrado`, identical for a missing recording and one out of scope. */
export async function requireGravacao(db: Database, caller: Caller, id: number): Promise<GravacaoRow> {
  const row = await findGravacao(db, id, scopeIds(caller))
  if (!row) throw notFound('Gravação não encontrada. Gravações buscadas ficam guardadas por 7 dias.')
  return row
}
