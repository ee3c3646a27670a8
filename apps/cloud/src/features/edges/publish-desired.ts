import type { Desejado, Fontes } from '@vigia/contracts/edge-state'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { buildDesired, type DesiredCameraRow } from './build-desired.ts'
import { listActivatedEdges, raiseVersion, readDesired } from './store.ts'

/** What of the cloud's end of the link (packages/link, cloud-link.ts) is used here. */
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
  readonly log: Logger
}

export interface DesiredState {
  /** The edge's desired state has to be published (again). */
  changed(edgeId: number): void
  /** Makes it newer than `versao` and publishes it. */
  outrun(edgeId: number, versao: number): Promise<void>
}

export interface DesiredPublisher extends DesiredState {
  /** Waits for a publication under way; changes not yet published are published after the next start. */
  stop(): Promise<void>
}

/** Several changes within this time are one message. */
const COALESCE_MS = 50
const RETRY_MS = 2000

/**
 * Keeps the retained desired state of every edge equal to the database. A change only marks the edge; what is published
 * is always read anew, so that the order and the number of marks do not matter. After every (re)connection all activated
 * edges are published: a broker may have lost what it retained, or kept it from before this database changed.
 */
export function createDesiredPublisher({ db, link, sources, log }: DesiredDeps): DesiredPublisher {
  const marked = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | null = null
  let stopped = false

  const schedule = (ms: number) => {
    if (stopped || working || timer || marked.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      working = work().finally(() => {
        working = null
        schedule(link.connected ? COALESCE_MS : RETRY_MS)
      })
    }, ms)
    timer.unref()
  }

  const work = async () => {
    for (const edgeId of [...marked]) {
      if (stopped || !link.connected) return
      marked.delete(edgeId)
      try {
        await publish(edgeId)
      } catch (err) {
        marked.add(edgeId)
        log.warn({ err, edge_id: edgeId }, 'desired state not published; trying again')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
      }
    }
  }

  const publish = async (edgeId: number) => {
    const rows = await readDesired(db, edgeId)
    // Nothing to run: an edge that was removed. An empty retained message takes the old one off the broker.
    await link.publishDesired(edgeId, rows && (await buildDesired(rows, readable(edgeId))))
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

  const changed = (edgeId: number) => {
    marked.add(edgeId)
    schedule(COALESCE_MS)
  }

  link.onConnected(async () => {
    for (const edgeId of await listActivatedEdges(db)) changed(edgeId)
    schedule(COALESCE_MS)
  })

  return {
    changed,
    async outrun(edgeId, versao) {
      await raiseVersion(db, edgeId, versao)
      changed(edgeId)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await working
    },
  }
}
