import { type Caller, requireWrite } from '../../http/caller.ts'
import { expectNothing } from '../lacunas/store.ts'
import type { CamerasDeps } from './deps.ts'
import { cameraInScope } from './read-camera.ts'
import { deleteCamera, lockCamera, raiseDesiredVersion } from './store.ts'

/** Ends capture (the edge's next desired state lacks the camera) and removes the camera. Its events stay. */
export async function removeCamera(deps: CamerasDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  const edgeId = await deps.db.transaction().execute(async (trx) => {
    await lockCamera(trx, id)
    const { edge_id } = await cameraInScope(trx, caller, id)
    await deleteCamera(trx, id)
    await expectNothing(trx, { cameraId: id })
    if (edge_id !== null) await raiseDesiredVersion(trx, edge_id)
    return edge_id
  })
  if (edgeId !== null) deps.desired.changed(edgeId)
}
