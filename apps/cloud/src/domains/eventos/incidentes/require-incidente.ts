import { findIncidente, type IncidenteWithCover } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, notFound, scopeIds } from '../../../http/caller.ts'

/** @throws VigiaError `nao_encontrado`, the same for a missing incidente and one out of scope. */
export async function requireIncidente(db: Database, caller: Caller, id: number): Promise<IncidenteWithCover> {
  const row = await findIncidente(db, id, scopeIds(caller))
  if (!row) throw notFound('Incidente não encontrado.')
  return row
}
