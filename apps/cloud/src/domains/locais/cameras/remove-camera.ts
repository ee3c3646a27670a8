import { auditCamera } from '../../../audit/audit-camera.ts'
import { auditCanal } from '../../../audit/audit-canal.ts'
import { discardOfCamera } from '../../../db/clipes.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import { expectNothing } from '../../../db/lacunas.ts'
import { lockCameraOnEdge } from '../../../db/locks.ts'
import { listMqttCanais } from '../../../db/mqtt-canais.ts'
import { orderTakeBack, reports } from '../../../db/recolhimentos.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { requireCamera } from './require-camera.ts'
import { deleteCamera, leaveCanais, listCanaisOfCamera } from './store.ts'

/**
 * Removes the camera; capture ends with the edge's next desired state. Its events stay. Canais of this camera alone and
 * the clips that only the edge has are removed. So is the content about it at brokers of the customer.
 */
export async function removeCamera(deps: DesiredDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  const edgeId = await transact(deps.db, async (tx) => {
    await lockCameraOnEdge(tx, id)
    const before = await requireCamera(tx, caller, id)
    const canais = await listCanaisOfCamera(tx, id)
    const { edge_id, empresa_id } = before
    const published = (await listMqttCanais(tx, empresa_id)).filter((canal) => reports(canal, id))
    await deleteCamera(tx, id)
    const now = deps.clock.now()
    await auditCamera(tx, now, caller, { antes: before, depois: null })
    for (const canal of canais) await auditCanal(tx, now, caller, { antes: canal, depois: null })
    for (const change of await leaveCanais(tx, before, now)) await auditCanal(tx, now, caller, change)
    await expectNothing(tx, { cameraId: id })
    await discardOfCamera(tx, id, now)
    if (edge_id !== null) await raiseDesiredVersion(tx, edge_id)
    const ended = published.map((canal) => ({ canal, cameras: [id] }))
    await orderTakeBack(tx, ended, now)
    return edge_id
  })
  if (edgeId !== null) deps.desired.changed(edgeId)
}
