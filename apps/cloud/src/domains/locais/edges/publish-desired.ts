import type { Desejado, Fontes } from '@vigia/contracts/edge-state'
import { MessageTooLargeError } from '@vigia/link/limits'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { Replica } from '../../../replicas/replica.ts'
import { buildDesired, type DesiredCameraRow } from './build-desired.ts'
import { listActivatedEdges, listVersions, markOversized, raiseVersion, readDesired } from './store.ts'

/** The part of the cloud link (packages/link, cloud-link.ts) that this module uses. */
interface DesiredLink {
  readonly connected: boolean
  onConnected(listener: () => void | Promise<void>): void
  publishDesired(edgeId: number, desejado: Desejado | null): Promise<void>
}

interface DesiredDeps {
  readonly db: Database
  readonly link: DesiredLink
  /** Opens a camera's stored addresses. Throws when they cannot be read. */
  readonly sources: (camera: DesiredCameraRow) => Fontes
  readonly replica: Pick<Replica, 'name' | 'owns' | 'onOwned' | 'onCheck' | 'notify' | 'onNotice'>
  readonly log: Logger
}

export interface DesiredState {
  /** Schedules a publication of the edge's desired state. */
  changed(edgeId: number): void
  /** Raises the desired version above `versao` and publishes the state. */
  outrun(edgeId: number, versao: number): Promise<void>
}

export interface DesiredPublisher extends DesiredState {
  /** Waits for the running publications; the next start publishes the remaining changes. */
  stop(): Promise<void>
}

/** Changes within this time are combined into one message. */
const COALESCE_MS = 50
/** Backoff of one edge after consecutive failures. */
const RETRY = { minMs: 2_000, maxMs: 60_000 }
/** Concurrent publications; each holds a whole message in memory, up to 6 MiB. */
const PARALLEL = 8

/** Pending or running publication of one edge. */
interface Task {
  isRunning: boolean
  /** The state changed during the publication. */
  isDue: boolean
  failures: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Keeps the retained desired state of every edge equal to the database. A change only marks the edge. Each publication
 * reads the database again, so that the order and the number of marks do not matter. Every (re)connection publishes all
 * activated edges, because retained states of the broker may be lost or outdated. Each edge has its own schedule: a
 * failing edge backs off without delaying others. Of several replicas, the owner of the edge publishes.
 */
export function createDesiredPublisher({ db, link, sources, replica, log }: DesiredDeps): DesiredPublisher {
  const tasks = new Map<number, Task>()
  /** Edges that are due, longest wait first. */
  const queue = new Set<number>()
  const running = new Set<Promise<void>>()
  /** Versions that were too large, by edge; not built again until the version changes. */
  const oversized = new Map<number, number>()
  /** Newest version that this process published, by edge. */
  const published = new Map<number, number>()
  let stopped = false

  const taskOf = (edgeId: number): Task => {
    const known = tasks.get(edgeId)
    if (known) return known
    const task: Task = { isRunning: false, isDue: false, failures: 0, timer: undefined }
    tasks.set(edgeId, task)
    return task
  }

  const schedule = (edgeId: number, ms: number) => {
    const task = taskOf(edgeId)
    task.isDue = true
    if (stopped || task.isRunning || task.timer) return
    task.timer = setTimeout(() => {
      task.timer = undefined
      queue.add(edgeId)
      startNext()
    }, ms).unref()
  }

  const startNext = () => {
    for (const edgeId of queue) {
      // Edges that remain in the queue are published when the link connects.
      if (stopped || !link.connected || running.size >= PARALLEL) return
      queue.delete(edgeId)
      const run = work(edgeId).finally(() => {
        running.delete(run)
        startNext()
      })
      running.add(run)
    }
  }

  const work = async (edgeId: number) => {
    const task = taskOf(edgeId)
    task.isRunning = true
    task.isDue = false
    let waitMs = COALESCE_MS
    try {
      await publish(edgeId)
      task.failures = 0
    } catch (err) {
      waitMs = backoffMs(task.failures, RETRY)
      task.failures += 1
      task.isDue = true
      log.warn({ err, edge_id: edgeId, falhas: task.failures }, 'desired state not published; retrying')
    }
    task.isRunning = false
    if (task.isDue) schedule(edgeId, waitMs)
    else tasks.delete(edgeId)
  }

  const publish = async (edgeId: number) => {
    const rows = await readDesired(db, edgeId)
    // Any replica deletes the state of a removed edge, which has no owner.
    if (rows && !replica.owns(edgeId)) return
    if (rows && oversized.get(edgeId) === rows.versao) return
    try {
      // null: the edge was removed. An empty retained message deletes the old one from the broker.
      await link.publishDesired(edgeId, rows && (await buildDesired(rows, readable(edgeId))))
    } catch (error) {
      if (rows === null || !(error instanceof MessageTooLargeError)) throw error
      await markOversized(db, edgeId, rows.versao, error.bytes)
      oversized.set(edgeId, rows.versao)
      log.error(
        { edge_id: edgeId, versao: rows.versao, cameras: rows.cameras.length, bytes: error.bytes },
        'desired state too large for the link; the last one that fitted stays in force',
      )
      return
    }
    oversized.delete(edgeId)
    if (rows === null) published.delete(edgeId)
    else {
      published.set(edgeId, rows.versao)
      await markOversized(db, edgeId, rows.versao, null)
      // A former owner may have published an older version at the same time.
      if (replica.name !== undefined && (await readDesired(db, edgeId))?.versao !== rows.versao) due(edgeId)
    }
    log.info(
      { edge_id: edgeId, versao: rows?.versao ?? null, cameras: rows?.cameras.length ?? 0 },
      'desired state published',
    )
  }

  const readable = (edgeId: number) => (camera: DesiredCameraRow) => {
    try {
      return sources(camera)
    } catch (err) {
      log.error({ err, edge_id: edgeId, camera_id: camera.id }, 'stored camera address cannot be opened')
      return null
    }
  }

  const due = (edgeId: number) => schedule(edgeId, COALESCE_MS)
  const changed = (edgeId: number) => {
    due(edgeId)
    replica.notify({ tipo: 'desejado', edgeId })
  }
  /** Versions that this replica has published; the others' changes are found by them while notices are lost. */
  const checkVersions = async () => {
    for (const { id, desejado_versao } of await listVersions(db))
      if (replica.owns(id) && published.get(id) !== desejado_versao) due(id)
  }

  link.onConnected(async () => {
    startNext()
    for (const edgeId of await listActivatedEdges(db)) due(edgeId)
  })
  replica.onOwned((edgeIds) => {
    for (const edgeId of edgeIds) due(edgeId)
  })
  replica.onNotice((notice) => {
    if (notice.tipo === 'desejado') due(notice.edgeId)
  })
  replica.onCheck(() => {
    checkVersions().catch((err: unknown) => log.warn({ err }, 'desired versions not read'))
  })

  return {
    changed,
    async outrun(edgeId, versao) {
      await raiseVersion(db, edgeId, versao)
      changed(edgeId)
    },
    async stop() {
      stopped = true
      for (const { timer } of tasks.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
