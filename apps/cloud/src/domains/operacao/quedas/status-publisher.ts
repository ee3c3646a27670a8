import type { MudancaCamera } from '@vigia/contracts/eventos'
import type { Bus } from '../../../adapters/bus.ts'
import type { CameraWithEdge } from '../../../db/cameras.ts'
import { type CameraStatus, cameraStatus, edgeOf, silencioOf } from '../../locais/public.ts'

/** Fields of a camera whose changes are published. */
type Watched = CameraStatus & Pick<MudancaCamera, 'silencio'>

/** Publishes the states of cameras that have changed since the last call. */
export function createStatusPublisher(bus: Bus) {
  let known: ReadonlyMap<number, Watched> | null = null

  return function publishStatus(cameras: readonly CameraWithEdge[], now: number): void {
    const seen = new Map<number, Watched>()
    for (const camera of cameras) {
      const status = { ...cameraStatus(camera, edgeOf(camera), now), silencio: silencioOf(camera, now) }
      seen.set(camera.id, status)
      // The first check after the start publishes no changes.
      if (known && changed(known.get(camera.id), status))
        bus.publish({ tipo: 'camera', mudanca: viewChange(camera, status) })
    }
    known = seen
  }
}

const changed = (before: Watched | undefined, { status, status_detalhe, silencio }: Watched): boolean =>
  before?.status !== status ||
  before.status_detalhe !== status_detalhe ||
  before.silencio?.ate !== silencio?.ate ||
  before.silencio?.por !== silencio?.por

const viewChange = (camera: CameraWithEdge, status: Watched): MudancaCamera => ({
  id: camera.id,
  empresa_id: camera.empresa_id,
  nome: camera.nome,
  ...status,
  ultimo_frame_em: camera.ultimo_frame_em === null ? null : new Date(camera.ultimo_frame_em).toISOString(),
})
