import type { Certificados } from '@vigia/contracts/edge-state'
import { edgeName } from '@vigia/link/identity'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { listInForce } from './certificates-store.ts'

/** What of the cloud's end of the link (packages/link, cloud-link.ts) is used here. */
interface AllowedLink {
  readonly connected: boolean
  onConnected(listener: () => void | Promise<void>): void
  publishAllowed(list: Certificados): Promise<void>
}

export interface AllowedCertificates {
  /**
   * A certificate came into force or lost it: call after the commit. Resolves when the broker enforces it and the revocation
   * list is written, or when that has to wait for the link (not connected, or 5 s without an answer). Never rejects.
   */
  changed(): Promise<void>
}

export interface AllowedPublisher extends AllowedCertificates {
  /** Waits for a publication under way. */
  stop(): Promise<void>
}

/** A person or a box waits for the answer; a box that comes too early tries again by itself. */
const PATIENCE_MS = 5000
const RETRY = { minMs: 2_000, maxMs: 60_000 }
/** One that has ended meanwhile leaves the list. */
const REFRESH_MS = 3_600_000

/**
 * Keeps the broker's list of certificates equal to the database. The list is read anew for each publication and one follows
 * the other, so that an older list never replaces a newer one. It is published on every (re)connection too: what a broker
 * kept of it may be older than the database, or gone, and then it lets no edge in.
 */
export function createAllowedPublisher({
  db,
  link,
  clock,
  revocations,
  log,
}: {
  readonly db: Database
  readonly link: AllowedLink
  readonly clock: Clock
  /** The same for brokers that read a file (revocation-file.ts). */
  readonly revocations: { changed(): Promise<void> }
  readonly log: Logger
}): AllowedPublisher {
  let last: Promise<void> = Promise.resolve()
  /** The publication that has not read the database yet: it will see every change until then. */
  let next: Promise<void> | null = null
  let again: NodeJS.Timeout | undefined
  let failures = 0
  let stopped = false

  const publish = async () => {
    clearTimeout(again)
    // What is not published now is published when the link connects.
    if (stopped || !link.connected) return
    let waitMs = REFRESH_MS
    try {
      const inForce = await listInForce(db, clock.now())
      const certificados = Object.fromEntries([...inForce].map(([edgeId, sha256]) => [edgeName(edgeId), sha256]))
      await link.publishAllowed({ v: 2, certificados })
      failures = 0
      log.info({ edges: inForce.size }, 'certificates in force published')
    } catch (err) {
      log.warn({ err }, 'certificates in force not published; trying again')
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

  return {
    async changed() {
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, PATIENCE_MS)
      await Promise.race([Promise.all([enqueue(), revocations.changed()]), patience.promise])
      clearTimeout(timer)
    },
    async stop() {
      stopped = true
      clearTimeout(again)
      await last
    },
  }
}
