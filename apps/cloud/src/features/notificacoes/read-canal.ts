import type { Database } from '../../db/open.ts'
import { type Caller, inScope, notFound } from '../../http/caller.ts'
import { type CanalRow, findCanal } from './store.ts'

/** @throws VigiaError `nao_encontrado`, the same for a channel that is missing and one that is out of scope. */
export async function canalInScope(db: Database, caller: Caller, id: number): Promise<CanalRow> {
  const row = await findCanal(db, id)
  if (!row || !inScope(caller, row.empresa_id)) throw notFound('Canal de notificação não encontrado.')
  return row
}
