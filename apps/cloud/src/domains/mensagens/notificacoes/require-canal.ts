import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import type { Database } from '../../../db/open.ts'
import type { CanalRow } from '../../../db/rows.ts'
import { type Caller, inScope, notFound } from '../../../http/caller.ts'
import { emptyTally, tallyOf } from './delivery-store.ts'
import { findCanal } from './store.ts'
import { viewCanal } from './view-canal.ts'

/** @throws VigiaError `nao_encontrado`, identical for a missing canal and one out of scope. */
export async function requireCanal(db: Database, caller: Caller, id: number): Promise<CanalRow> {
  const row = await findCanal(db, id)
  if (!row || !inScope(caller, row.empresa_id)) throw notFound('Canal de notificação não encontrado.')
  return row
}

/** Returns canais with their delivery results; needs two queries for any number of canais. */
export async function showCanais(db: Database, rows: readonly CanalRow[]): Promise<CanalNotificacao[]> {
  const tallies = await tallyOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => viewCanal(row, tallies.get(row.id) ?? emptyTally))
}

export async function showCanal(db: Database, row: CanalRow): Promise<CanalNotificacao> {
  return viewCanal(row, (await tallyOf(db, [row.id])).get(row.id) ?? emptyTally)
}
