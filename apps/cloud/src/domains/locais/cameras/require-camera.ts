import { type CameraWithEdge, findCamera, listCamerasById } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, inScope, notFound } from '../../../http/caller.ts'

/** @throws VigiaError `nao_encontrado`, identical for a missing camera and one out of scope. */
export async function requireCamera(db: Database, caller: Caller, id: number): Promise<CameraWithEdge> {
  const row = await findCamera(db, id)
  if (!row || !inScope(caller, row.empresa_id)) throw notFound('Câmera não encontrada.')
  return row
}

/** @throws VigiaError `nao_encontrado`: one of them is missing or out of scope. */
export async function requireCameras(db: Database, caller: Caller, ids: readonly number[]): Promise<CameraWithEdge[]> {
  if (ids.length === 0) return []
  const rows = await listCamerasById(db, ids)
  if (rows.length < ids.length || rows.some(({ empresa_id }) => !inScope(caller, empresa_id)))
    throw notFound('Câmera não encontrada.')
  return rows
}
