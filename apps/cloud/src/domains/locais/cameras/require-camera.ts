import { type CameraWithEdge, findCamera } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, inScope, notFound } from '../../../http/caller.ts'

/** @throws VigiaError `nao_encontrado`, identical for a missing camera and one out of scope. */
export async function requireCamera(db: Database, caller: Caller, id: number): Promise<CameraWithEdge> {
  const row = await findCamera(db, id)
  if (!row || !inScope(caller, row.empresa_id)) throw notFound('Câmera não encontrada.')
  return row
}
