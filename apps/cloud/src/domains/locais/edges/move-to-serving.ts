import { auditCamera } from '../../../audit/audit-camera.ts'
import { auditGravador } from '../../../audit/audit-gravador.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import { lockEdge } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { requireDesiredFits } from './desired-limits.ts'
import { leaveLocalEdge, listCamerasToServe, usesLocalEdge } from './local-edge-store.ts'
import { findLocalEdge, serveCameras } from './store.ts'

/**
 * Moves the cameras of an Empresa to the edges that may serve it, after `usa_edge_local` has changed in the caller's
 * transaction, which locks the lineage. Cameras on edges of the Empresa stay.
 * @returns the edges whose desired state has changed
 * @throws VigiaError `conflito`: the cameras do not fit the local edge
 */
export async function moveToServing(tx: Database, now: number, caller: Caller, empresaId: number): Promise<number[]> {
  const local = await findLocalEdge(tx)
  if (!local) return []
  await lockEdge(tx, local.id)
  const { heirs, moved } = await serveCameras(tx, await listCamerasToServe(tx, empresaId), now)
  for (const heir of heirs) await requireDesiredFits(tx, empresaId, heir)
  for (const camera of moved)
    if (camera.antes.edge_id !== camera.depois.edge_id) await auditCamera(tx, now, caller, camera)
  if (!(await usesLocalEdge(tx, empresaId)))
    for (const gravador of await leaveLocalEdge(tx, empresaId))
      await auditGravador(tx, now, caller, { antes: gravador, depois: { ...gravador, edge_id: null } })
  await raiseDesiredVersion(tx, local.id)
  return [...new Set([local.id, ...heirs])]
}
