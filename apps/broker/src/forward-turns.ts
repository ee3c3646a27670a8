import type { EdgeLineage } from '@vigia/link/edge-lineage'
import { createFairTurns } from '@vigia/link/fair-turns'

/** A client that reads what edges publish: the cloud, or one of its replicas. */
export interface Destination {
  /** Unsent bytes. */
  readonly queuedBytes: number
  reads(topic: string): boolean
}

/** A publication of an edge on its way to the cloud. */
export interface Publication {
  readonly lineage: EdgeLineage
  readonly topic: string
  readonly bytes: number
  /** Passes it on. */
  begin(): void
}

/**
 * Publications of edges wait here for their turn, by root Empresa, Empresa and edge, while the cloud does not read fast
 * enough. The queue to the cloud itself stays short: it is one line, in which a neighbour would wait behind all that an
 * attacker has sent.
 */
export interface ForwardTurns {
  push(publication: Publication): void
  /** The publication was passed on, or its connection has ended. */
  done(publication: Publication): void
  /** A destination has taken bytes, or has gone. */
  progressed(destination: Destination): void
  /** Whether a destination has taken no byte for a time. It gets nothing that an edge repeats. */
  isStalled(destination: Destination): boolean
}

interface ForwardOptions {
  destinations(): Iterable<Destination>
  /** Unsent bytes above which publications wait. */
  readonly aboveBytes: number
  /** Time without progress after which a destination is stalled, so that edges get their answers. */
  readonly stalledMs: number
  /** ms */
  readonly monotonic?: () => number
}

/** A stalled destination is noticed this often in `stalledMs`. */
const CHECKS = 5

export function createForwardTurns({ destinations, aboveBytes, stalledMs, ...given }: ForwardOptions): ForwardTurns {
  const { monotonic = () => performance.now() } = given
  const turns = createFairTurns<Publication>()
  /** Publications that are on their way to the queue of a destination. */
  const granted = new Set<Publication>()
  const progress = new WeakMap<Destination, { bytes: number; at: number }>()
  let grantedBytes = 0
  let timer: NodeJS.Timeout | undefined

  function isStalled(destination: Destination): boolean {
    const now = monotonic()
    const bytes = destination.queuedBytes
    const before = progress.get(destination)
    if (before === undefined || bytes <= aboveBytes || bytes < before.bytes) {
      progress.set(destination, { bytes, at: now })
      return false
    }
    // Bytes that are passed on to a stalled destination are no progress.
    before.bytes = bytes
    return now - before.at >= stalledMs
  }

  const isOpen = (topic: string): boolean => {
    for (const destination of destinations())
      if (destination.reads(topic) && destination.queuedBytes + grantedBytes > aboveBytes && !isStalled(destination))
        return false
    return true
  }

  function check(): void {
    clearTimeout(timer)
    for (;;) {
      const next = turns.take({ item: ({ topic }) => isOpen(topic) })
      if (next === undefined) break
      granted.add(next)
      grantedBytes += next.bytes
      next.begin()
    }
    if (turns.size > 0) timer = setTimeout(check, stalledMs / CHECKS).unref()
  }

  return {
    push(publication) {
      turns.push(publication.lineage, publication)
      check()
    },
    done(publication) {
      if (!granted.delete(publication)) return turns.remove(publication.lineage, (each) => each === publication)
      grantedBytes -= publication.bytes
      check()
    },
    progressed(destination) {
      progress.delete(destination)
      check()
    },
    isStalled,
  }
}
