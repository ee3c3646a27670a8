import type { Bus } from '../../../adapters/bus.ts'
import type { Clock } from '../../../adapters/clock.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import { listEveryCamera } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { Replica } from '../../../replicas/replica.ts'
import { EDGE_MUDO_MS } from '../../locais/public.ts'
import { createAnnouncements } from './announcements.ts'
import { createCentralContact } from './central-contact.ts'
import { notifyQueda } from './notify-queda.ts'
import { type Change, createQuedaTracker } from './queda-tracker.ts'
import { keyOf, observedStates, type Scene, subjectOf } from './scene.ts'
import { createStatusPublisher } from './status-publisher.ts'
import {
  changeQueda,
  forgetFutureEdges,
  forgetSilentEdges,
  insertQueda,
  openQuedas,
  type QuedaRow,
  watchedEdges,
} from './store.ts'

/** Period of the check. */
const CHECK_MS = 1_000
/** Time that edges have to report after the cloud connects to the broker. */
const GRACE_MS = 60_000

interface StatusMonitorDeps {
  readonly db: Database
  readonly clock: Clock
  readonly bus: Bus
  /** Broker connection of the cloud; without it the state of the edges is unknown. */
  readonly link: { readonly connected: boolean }
  readonly log: Logger
  readonly disk: Pick<DiskSpace, 'tolerate'>
  /** The leader of several replicas records quedas. Each one publishes to its own streams. */
  readonly replica: Pick<Replica, 'leads'>
  /** Monotonic clock in ms; default: that of the process. */
  readonly monotonic?: () => number
}

/**
 * Checks every edge and camera once per second. A status may change only by time (an old frame, an edge without
 * contact, the end of a silence). Publishes changed camera states on the bus and records quedas.
 */
export function createStatusMonitor(deps: StatusMonitorDeps) {
  const { db, clock, bus, link, log, disk, replica, monotonic = () => performance.now() } = deps
  const tracker = createQuedaTracker<string>()
  const keepCentralContact = createCentralContact(db)
  const publishStatus = createStatusPublisher(bus)
  const announcements = createAnnouncements({ db, bus })
  /** Start of the current broker connection by both clocks; null: not connected. */
  let connected: { readonly wall: number; readonly at: number } | null = null
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | null = null

  async function trackQuedas(scene: Scene, now: number): Promise<void> {
    const at = monotonic()
    if (!link.connected) connected = null
    // Takes the earlier time, because the wall clock may have been set back.
    else connected = { wall: Math.min(connected?.wall ?? now, now), at: connected?.at ?? at }
    const open = new Map((await openQuedas(db)).map((row) => [keyOf(row), row]))
    const changes = tracker.check({
      seen: observedStates(scene, connected?.wall ?? now, now),
      open,
      now,
      at,
      mayBegin: connected !== null && at - connected.at >= GRACE_MS,
    })
    if (changes.length === 0) return
    const rows = await transact(db, async (tx) => {
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
      announcements.announce(row)
      const { id, edge_id, camera_id, motivo, fim } = row
      log.info({ queda_id: id, edge_id, camera_id, motivo }, fim === null ? 'outage' : 'outage over')
    }
  }

  const check = async () => {
    if (replica.leads) {
      const now = clock.now()
      await disk.tolerate(() => keepCentralContact(now, monotonic()))
      await disk.tolerate(() => forgetSilentEdges(db, now - EDGE_MUDO_MS))
      // A report that arrives during the check, or at a replica with a clock slightly ahead, is later than `now`.
      await disk.tolerate(() => forgetFutureEdges(db, now + EDGE_MUDO_MS))
    }
    const cameras = await listEveryCamera(db)
    const now = clock.now()
    publishStatus(cameras, now)
    const scene = { edges: new Map((await watchedEdges(db)).map((edge) => [edge.id, edge])), cameras }
    if (!replica.leads) {
      // Grace begins anew when this replica becomes the leader.
      connected = null
      await announcements.followLeader()
      return
    }
    // The next check repeats changes that were not recorded.
    await disk.tolerate(() => trackQuedas(scene, now))
  }

  return {
    check,
    async start(): Promise<void> {
      await check()
      timer = setInterval(() => {
        checking ??= check()
          .catch((err: unknown) => log.error({ err }, 'status of edges and cameras not computed'))
          .finally(() => {
            checking = null
          })
      }, CHECK_MS)
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await checking
    },
  }
}

/** Writes a change; undefined: another process has already written it. */
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
  if (!open) throw new Error(`no open queda of ${change.key}`)
  return changeQueda(
    tx,
    open.id,
    change.tipo === 'fim' ? { fim: Math.max(open.inicio, change.fim) } : { motivo: change.motivo },
  )
}
