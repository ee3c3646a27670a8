import type { CameraWithEdge } from '../../../db/cameras.ts'
import { type Caller, notFound } from '../../../http/caller.ts'
import { requireMaskedView } from '../../../scope/unmasked.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { cameraStatus } from './camera-status.ts'
import { requireCamera } from './require-camera.ts'
import { edgeOf } from './view-camera.ts'

/**
 * Returns the ids of an online camera and its edge.
 * @throws VigiaError `nao_encontrado`: missing, out of scope, not online, or hidden until its masks are applied
 */
export async function onlineCamera(
  { db, clock }: Pick<DesiredDeps, 'db' | 'clock'>,
  caller: Caller,
  id: number,
): Promise<{ readonly id: number; readonly edgeId: number }> {
  const camera = await requireCamera(db, caller, id)
  requireMaskedView(caller, camera)
  const { status, status_detalhe } = cameraStatus(camera, edgeOf(camera), clock.now())
  if (status !== 'online' || camera.edge_id === null)
    throw notFound(`A câmera não está online: não há imagem para mostrar. ${status_detalhe ?? ''}`.trim())
  return { id, edgeId: camera.edge_id }
}

export const isOnline = (camera: CameraWithEdge, now: number): boolean =>
  cameraStatus(camera, edgeOf(camera), now).status === 'online'
