import type { Camera, CameraPatch } from '@vigia/contracts/cameras'
import { type Caller, requireWrite } from '../../http/caller.ts'
import type { CamerasDeps } from './deps.ts'
import { concernsEdge, patchColumns } from './patch-columns.ts'
import { cameraInScope } from './read-camera.ts'
import { raiseDesiredVersion, updateCamera } from './store.ts'
import { viewCamera } from './view-camera.ts'

/**
 * Changes the fields that were sent, and no others. What was read and what is written stand in one transaction, so that
 * two changes at the same time both count.
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao`.
 */
export async function changeCamera(deps: CamerasDeps, caller: Caller, id: number, patch: CameraPatch): Promise<Camera> {
  requireWrite(caller)
  const { row, edgeId } = await deps.db.transaction().execute(async (trx) => {
    const before = await cameraInScope(trx, caller, id)
    const changes = patchColumns(before, patch, deps.box)
    if (Object.keys(changes).length === 0) return { row: before, edgeId: null }
    await updateCamera(trx, id, { ...changes, atualizada_em: deps.clock.now() })
    const edge = concernsEdge(changes) ? before.edge_id : null
    if (edge !== null) await raiseDesiredVersion(trx, edge)
    return { row: await cameraInScope(trx, caller, id), edgeId: edge }
  })
  if (edgeId !== null) deps.desired.changed(edgeId)
  return viewCamera(row, deps.clock.now())
}
