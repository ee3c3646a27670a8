import type { MudancaCamera } from '@vigia/contracts/eventos'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { type CameraStatus, cameraStatus } from '../cameras/camera-status.ts'
import { type CameraWithEdge, listCameras } from '../cameras/store.ts'
import { edgeOf } from '../cameras/view-camera.ts'
import { EDGE_MUDO_MS } from '../edges/edge-status.ts'
import { forgetSilentEdges } from '../edges/store.ts'
import type { Bus } from './bus.ts'

/** How often it looks, ms. */
const LOOK_MS = 1000

/**
 * Tells the bus when a camera's status changes. Much of that happens by time alone (a frame that grows too old, an edge
 * that falls silent), so it looks at all cameras once a second and compares.
 */
export function createCameraWatch({
  db,
  clock,
  bus,
  log,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly bus: Bus
  readonly log: Logger
}) {
  let known: ReadonlyMap<number, CameraStatus> | null = null
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null

  const look = async () => {
    const agora = clock.now()
    await forgetSilentEdges(db, agora - EDGE_MUDO_MS)
    const seen = new Map<number, CameraStatus>()
    for (const camera of await listCameras(db, null)) {
      const status = cameraStatus(camera, edgeOf(camera), agora)
      seen.set(camera.id, status)
      // The first look only learns: nothing changed, the process has just begun.
      if (known && changed(known.get(camera.id), status))
        bus.publish({ tipo: 'camera', mudanca: viewChange(camera, status) })
    }
    known = seen
  }

  return {
    async start(): Promise<void> {
      await look()
      timer = setInterval(() => {
        looking ??= look()
          .catch((err: unknown) => log.error({ err }, 'camera status not computed'))
          .finally(() => {
            looking = null
          })
      }, LOOK_MS)
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await looking
    },
  }
}

const changed = (before: CameraStatus | undefined, { status, status_detalhe }: CameraStatus): boolean =>
  before?.status !== status || before.status_detalhe !== status_detalhe

const viewChange = (camera: CameraWithEdge, status: CameraStatus): MudancaCamera => ({
  id: camera.id,
  empresa_id: camera.empresa_id,
  nome: camera.nome,
  ...status,
  ultimo_frame_em: camera.ultimo_frame_em === null ? null : new Date(camera.ultimo_frame_em).toISOString(),
})
