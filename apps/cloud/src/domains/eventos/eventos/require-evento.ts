import { findEvent } from '../../../db/eventos.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { type Caller, notFound, scopeIds } from '../../../http/caller.ts'

/** Throws `nao_encontrado` if no such event is in scope. */
export async function requireEvento(db: Database, caller: Caller, id: number): Promise<EventoRow> {
  const row = await findEvent(db, id, scopeIds(caller))
  if (!row) throw notFound('Evento não encontrado.')
  return row
}
