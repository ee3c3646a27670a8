import type { MudancaCamera } from '@vigia/contracts/eventos'
import type { Bus } from '../../adapters/bus.ts'
import type { Clock } from '../../adapters/clock.ts'
import type { DiskSpace } from '../../adapters/disk-space.ts'
import { type CameraWithEdge, listCameras } from '../../db/cameras.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { type CameraStatus, cameraStatus } from '../cameras/camera-status.ts'
import { edgeOf } from '../cameras/view-camera.ts'
import { EDGE_MUDO_MS } from '../edges/edge-status.ts'
import { notifyQueda } from './notify-queda.ts'
import { type Change, createQuedaTracker } from './queda-tracker.ts'
import { keyOf, type Scene, subjectOf, whatIsSeen } from './scene.ts'
import {
  changeQueda,
  forgetFutureEdges,
  forgetSilentEdges,
  insertQueda,
  openQuedas,
  type QuedaRow,
  watchedEdges,
} from './store.ts'
import { viewQueda } from './view-queda.ts'

/** How often it looks, ms. */
const LOOK_MS = 1_000
/** From the moment on at which the cloud can hear the edges, they have this long to report before one is missed, ms. */
const GRACE_MS = 60_000

interface StatusMonitorDeps {
  readonly db: Database
  readonly clock: Clock
  readonly bus: Bus
  /** Whether the cloud hears its edges at all: without its broker it is the cloud that is cut off, not they. */
  readonly link: { readonly connected: boolean }
  readonly log: Logger
  readonly disk: Pick<DiskSpace, 'tolerate'>
  /** Monotonic ms; the process's own unless given. */
  readonly monotonic?: () => number
}

/**
 * The one look per second at every edge and camera. Much of their status changes by time alone (a frame that grows too old, an
 * edge that falls silent). It tells the bus when a camera's status changes, and records outages.
 */
export function createStatusMonitor(deps: StatusMonitorDeps) {
  const { db, clock, bus, link, log, disk, monotonic = () => performance.now() } = deps
  const tracker = createQuedaTracker<string>()
  let known: ReadonlyMap<number, CameraStatus> | null = null
  /** Since when the cloud hears its edges, by both clocks; null: it does not. */
  let hearing: { readonly wall: number; readonly at: number } | null = null
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null

  function tellStatus(cameras: readonly CameraWithEdge[], now: number): void {
    const seen = new Map<number, CameraStatus>()
    for (const camera of cameras) {
      const status = cameraStatus(camera, edgeOf(camera), now)
      seen.set(camera.id, status)
      // The first look only learns: nothing changed, the process has just begun.
      if (known && changed(known.get(camera.id), status))
        bus.publish({ tipo: 'camera', mudanca: viewChange(camera, status) })
    }
    known = seen
  }

  async function trackQuedas(scene: Scene, now: number): Promise<void> {
    const at = monotonic()
    if (!link.connected) hearing = null
    // The earlier of the two: the wall clock may have been set back.
    else hearing = { wall: Math.min(hearing?.wall ?? now, now), at: hearing?.at ?? at }
    const open = new Map((await openQuedas(db)).map((row) => [keyOf(row), row]))
    const changes = tracker.look({
      seen: whatIsSeen(scene, hearing?.wall ?? now, now),
      open,
      now,
      at,
      mayBegin: hearing !== null && at - hearing.at >= GRACE_MS,
    })
    if (changes.length === 0) return
    const rows = await db.transaction().execute(async (tx) => {
      const written: QuedaRow[] = []
      for (const change of changes) {
        const row = await record(tx, change, open.get(change.key), scene)
        if (!row) continue
        written.push(row)
        if (change.tipo !== 'fim' || change.voltou) await notifyQueda(tx, row, scene, now)
      }
      return written
    })
    for (const row of rows) {
      bus.publish({ tipo: 'queda', queda: viewQueda(row) })
      const { id, edge_id, camera_id, motivo, fim } = row
      log.info({ queda_id: id, edge_id, camera_id, motivo }, fim === null ? 'outage' : 'outage over')
    }
  }

  const look = async () => {
    const now = clock.now()
    await disk.tolerate(() => forgetSilentEdges(db, now - EDGE_MUDO_MS))
    await disk.tolerate(() => forgetFutureEdges(db, now))
    const cameras = await listCameras(db, null)
    tellStatus(cameras, now)
    const scene = { edges: new Map((await watchedEdges(db)).map((edge) => [edge.id, edge])), cameras }
    // What could not be recorded is proposed again by the next look.
    await disk.tolerate(() => trackQuedas(scene, now))
  }

  return {
    look,
    async start(): Promise<void> {
      await look()
      timer = setInterval(() => {
        looking ??= look()
          .catch((err: unknown) => log.error({ err }, 'status of edges and cameras not computed'))
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

/** Writes a change; undefined when another process has done so. */
function record(
  tx: Database,
  change: Change<string>,
  open: QuedaRow | undefined,
  scene: Scene,
): Promise<QuedaRow | undefined> {
  if (change.tipo === 'inicio') {
    const { inicio, motivo } = change
    return insertQueda(tx, { ...subjectOf(change.key, scene), inicio, motivo })
  }
  if (!open) throw new Error(`no outage of ${change.key} goes on`)
  return changeQueda(
    tx,
    open.id,
    change.tipo === 'fim' ? { fim: Math.max(open.inicio, change.fim) } : { motivo: change.motivo },
  )
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
