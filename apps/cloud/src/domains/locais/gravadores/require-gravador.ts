import type { GravadorWithCount } from '../../../db/gravadores.ts'
import { findGravador } from '../../../db/gravadores.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, inScope, notFound } from '../../../http/caller.ts'

/** @throws VigiaError `nao_encontrado`, identical for a missing gravador and one out of scope. */
export async function requireGravador(db: Database, caller: Caller, id: number): Promise<GravadorWithCount> {
  const row = await findGravador(db, id)
  if (!row || !inScope(caller, row.empresa_id)) throw notFound('Gravador não encontrado.')
  return row
}
