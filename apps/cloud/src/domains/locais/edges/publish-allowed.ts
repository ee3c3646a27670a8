import type { Certificados } from '@vigia/contracts/edge-state'
import { groupEdges } from '@vigia/link/edge-lineage'
import { edgeName } from '@vigia/link/identity'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { confirmPublication, publicationOf, requestPublication } from '../../../db/replicas.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { Replica } from '../../../replicas/replica.ts'
import { listInForce, listOwners } from './certificates-store.ts'

/** The part of the cloud link (packages/link, cloud-link.ts) that this module uses. */
interface AllowedLink {
  readonly connected: boolean
  onConnected(listener: () => void | Promise<void>): void
  publishAllowed(list: Certificados): Promise<void>
}

export interface AllowedCertificates {
  /**
   * Call it after the commit that put a certificate in force or revoked one. Resolves when the broker enforces the
   * change and the revocation list is written. Resolves early without a link, or after 5 s without an answer. Never
   * rejects.
   */
  changed(): Promise<void>
}

export interface AllowedPublisher extends AllowedCertificates {
  /** Waits for the current publication. */
  stop(): Promise<void>
}

/** Limits the wait of the HTTP caller; an edge that connects too early retries. */
const ENFORCE_TIMEOUT_MS = 5000
const RETRY = { minMs: 2_000, maxMs: 60_000 }
/** Each refresh removes expired certificates from the list. */
const REFRESH_MS = 3_600_000
const CHECK_MS = 500
const PUBLICATION = 'certificados'

/**
 * Keeps the broker's list of certificates equal to the database. Publications run in series and each reads the list
 * again, so that an older list never replaces a newer one. Each (re)connection publishes the list too: the broker's
 * copy may be outdated or lost. Without a list the broker admits no edge.
 */
export function createAllowedPublisher({
  db,
  link,
  clock,
  revocations,
  replica,
  log,
}: {
  readonly db: Database
  readonly link: AllowedLink
  readonly clock: Clock
  /** The revocation list for brokers that read a file (revocation-file.ts). */
  readonly revocations: { changed(): Promise<void> }
  readonly replica: Pick<Replica, 'name' | 'leads' | 'onLead' | 'onCheck' | 'notify' | 'onNotice'>
  readonly log: Logger
}): AllowedPublisher {
  let last: Promise<void> = Promise.resolve()
  /**
   * The next publication. This publication has not read the database yet and therefore includes every earlier change.
   */
  let next: Promise<void> | null = null
  let again: NodeJS.Timeout | undefined
  let failures = 0
  let stopped = false
  const waiters = createWaiters()

  const publish = async () => {
    clearTimeout(again)
    // Without a link the next connection publishes the list. The leader of several replicas publishes.
    if (stopped || !link.connected || !replica.leads) return
    let waitMs = REFRESH_MS
    try {
      const { pedida } = await publicationOf(db, PUBLICATION)
      const inForce = await listInForce(db, clock.now())
      const owners = (await listOwners(db)).filter(({ edgeId }) => inForce.has(edgeId))
      const { edgeIds, grupos } = groupEdges(owners)
      const certificados = Object.fromEntries(edgeIds.map((id) => [edgeName(id), inForce.get(id) ?? []]))
      await link.publishAllowed({ v: 2, certificados, grupos, ...(replica.name !== undefined && { versao: pedida }) })
      if (replica.name !== undefined) {
        await revocations.changed()
        await confirmPublication(db, PUBLICATION, pedida)
        replica.notify({ tipo: 'publicacao' })
      }
      failures = 0
      log.info({ edges: inForce.size }, 'certificates in force published')
    } catch (err) {
      log.warn({ err }, 'certificates in force not published; retrying')
      waitMs = backoffMs(failures, RETRY)
      failures += 1
    }
    if (!stopped) again = setTimeout(enqueue, waitMs).unref()
  }

  const enqueue = (): Promise<void> => {
    next ??= last.then(() => {
      next = null
      return publish()
    })
    last = next
    return next
  }

  link.onConnected(enqueue)
  replica.onLead(() => {
    requestPublication(db, PUBLICATION).then(enqueue, (err: unknown) => log.warn({ err }, 'publication not requested'))
  })
  const follow = () => {
    if (replica.leads) void checkRequests().catch((err: unknown) => log.warn({ err }, 'publications not read'))
    waiters.wakeAll()
  }
  replica.onNotice(({ tipo }) => {
    if (tipo === 'publicacao') follow()
  })
  replica.onCheck(follow)

  async function checkRequests(): Promise<void> {
    const { pedida, feita } = await publicationOf(db, PUBLICATION)
    if (pedida > feita) await enqueue()
  }

  /** Resolves when the leader has published the change. */
  async function requested(signal: AbortSignal): Promise<void> {
    const number = await requestPublication(db, PUBLICATION)
    replica.notify({ tipo: 'publicacao' })
    follow()
    while (!signal.aborted && (await publicationOf(db, PUBLICATION)).feita < number) await waiters.woken(signal)
  }

  return {
    async changed() {
      const timeout = AbortSignal.timeout(ENFORCE_TIMEOUT_MS)
      const over = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve()))
      const inForce = replica.name === undefined ? Promise.all([enqueue(), revocations.changed()]) : requested(timeout)
      const failed = (err: unknown) => log.error({ err }, 'change of certificates not requested')
      await Promise.race([inForce.catch(failed), over])
    },
    async stop() {
      stopped = true
      clearTimeout(again)
      await last
    },
  }
}

/** The callers that wait until the leader has published their change. */
function createWaiters() {
  const waiting = new Set<() => void>()
  return {
    wakeAll() {
      for (const wake of waiting) wake()
    },
    /** Resolves at a notice, and at the latest after CHECK_MS. */
    woken: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake)
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, CHECK_MS)
        waiting.add(wake)
        signal.addEventListener('abort', wake)
      }),
  }
}
