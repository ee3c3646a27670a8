import type { RecorderWithCount } from '../../db/gravadores.ts'
import { findRecorder } from '../../db/gravadores.ts'
import type { Database } from '../../db/open.ts'
import { type Caller, inScope, notFound } from '../../http/caller.ts'

/** @throws VigiaError `nao_encontrado`, the same for a recorder that is missing and one that is out of scope. */
export async function recorderInScope(db: Database, caller: Caller, id: number): Promise<RecorderWithCount> {
  const row = await findRecorder(db, id)
  if (!row || !inScope(caller, row.empresa_id)) throw notFound('Gravador não encontrado.')
  return row
}
