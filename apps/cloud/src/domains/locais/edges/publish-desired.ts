import type { Desejado, Fontes } from '@vigia/contracts/edge-state'
import { MessageTooLargeError } from '@vigia/link/limits'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { Replica } from '../../../replicas/replica.ts'
import { buildDesired, type DesiredCameraRow } from './build-desired.ts'
import { createPublishSchedule } from './publish-schedule.ts'
import { listActivatedEdges, listVersions, markOversized, raiseVersion, readDesired } from './store.ts'

/** The part of the cloud link (packages/link, cloud-link.ts) that this module uses. */
interface DesiredLink {
  readonly connected: boolean
  onConnected(listener: () => void | Promise<void>): void
  onAnnounced(listener: (edgeId: number) => void): void
  publishDesired(edgeId: number, desejado: Desejado | null): Promise<void>
  clearPresence(edgeId: number): Promise<void>
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

/** At a start every edge is announced. They are looked up together. */
const ANNOUNCED_MS = 500

/**
 * Keeps the retained desired state of every edge equal to the database. A change only marks the edge. Each publication
 * reads the database again, so that the order and the number of marks do not matter. Every (re)connection publishes all
 * activated edges, because retained states of the broker may be lost or outdated. Each edge has its own schedule: a
 * failing edge backs off without delaying others. With several replicas, the owner of the edge publishes.
 *
 * The states of removed edges are cleared. The broker keeps their presence, so that an edge which is announced and does
 * not exist is found, also after a restart.
 */
export function createDesiredPublisher({ db, link, sources, replica, log }: DesiredDeps): DesiredPublisher {
  /** Versions that were too large, by edge; not built again until the version changes. */
  const oversized = new Map<number, number>()
  /** Newest version that this process published, by edge. */
  const published = new Map<number, number>()
  const schedule = createPublishSchedule({ link, publish: (edgeId) => publish(edgeId), log })
  const { due } = schedule

  const publish = async (edgeId: number) => {
    const rows = await readDesired(db, edgeId)
    // Any replica deletes the state of a removed edge, which has no owner.
    if (rows && !replica.owns(edgeId)) return
    if (rows && oversized.get(edgeId) === rows.versao) return
    try {
      // null: the edge was removed. An empty retained message deletes the old one from the broker.
      await link.publishDesired(edgeId, rows && (await buildDesired(rows, readable(edgeId))))
      if (rows === null) await clearPresence(edgeId)
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

  /** false: a broker with older access rules disconnects a cloud that clears a presence. */
  let mayClear = true
  async function clearPresence(edgeId: number): Promise<void> {
    if (!mayClear) return
    await link.clearPresence(edgeId).catch((err: unknown) => {
      mayClear = false
      log.warn({ err, edge_id: edgeId }, 'presence of a removed edge not cleared; the next start tries again')
    })
  }

  const announced = new Set<number>()
  let checking: NodeJS.Timeout | undefined
  /** Clears the states of announced edges that do not exist. */
  async function checkAnnounced(): Promise<void> {
    const edges = [...announced]
    announced.clear()
    const known = new Set(await listActivatedEdges(db))
    for (const edgeId of edges) if (!known.has(edgeId)) due(edgeId)
  }

  const readable = (edgeId: number) => (camera: DesiredCameraRow) => {
    try {
      return sources(camera)
    } catch (err) {
      log.error({ err, edge_id: edgeId, camera_id: camera.id }, 'stored camera address cannot be opened')
      return null
    }
  }

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
    schedule.startNext()
    for (const edgeId of await listActivatedEdges(db)) due(edgeId)
  })
  link.onAnnounced((edgeId) => {
    announced.add(edgeId)
    checking ??= setTimeout(() => {
      checking = undefined
      checkAnnounced().catch((err: unknown) => log.warn({ err }, 'announced edges not read'))
    }, ANNOUNCED_MS).unref()
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
      clearTimeout(checking)
      await schedule.stop()
    },
  }
}
