import type { KnownSources } from './known-sources.ts'
import { sourceOf } from './source-of.ts'

export interface HandshakeLimits {
  /**
   * Limit for one address (IPv6: one /64): its open connections before admission plus its costly failures within
   * `memoryMs`.
   */
  readonly perAddress: number
  /** The same limit for all known sources together, and for all unknown sources together. */
  readonly total: number
  /** Time for which a costly failure counts. */
  readonly memoryMs: number
  /** At a limit, a new connection replaces one that is not admitted after this time. */
  readonly pressedMs: number
}

export const DEFAULT_HANDSHAKES: HandshakeLimits = {
  perAddress: 64,
  total: 1024,
  memoryMs: 10_000,
  pressedMs: 3_000,
}

/** One connection before admission. Each method may be called more than once. */
export interface Entrant {
  /** The holder of this certificate was admitted: the connection no longer counts. */
  admitted(name: string): void
  /** `isCostly`: the client began a handshake. A connection that never sent a byte cost no processor time. */
  closed(isCostly: boolean): void
}

/**
 * Bounds the cost of unauthenticated connections. Any host that reaches the port can open connections and begin
 * handshakes. Without a limit for each address one host could exhaust all connections or the processor. Sources with a
 * recently admitted certificate have a separate limit, which unknown sources cannot exhaust.
 */
export interface HandshakeGate {
  /** Returns null when the limit is reached. `drop` ends the connection for a newer one. */
  enter(address: string, drop: () => void): Entrant | null
}

interface Waiting {
  readonly since: number
  leave(): void
  drop(): void
}

/** Connections and failures that count against one limit. */
interface Tally {
  /** Oldest first. */
  readonly open: Set<Waiting>
  failures: number
}

const newTally = (): Tally => ({ open: new Set(), failures: 0 })

export function createHandshakeGate(
  { perAddress, total, memoryMs, pressedMs }: HandshakeLimits,
  known: Pick<KnownSources, 'has' | 'admitted'>,
): HandshakeGate {
  const sources = new Map<string, Tally>()
  const knownPool = newTally()
  const unknownPool = newTally()

  function hasCapacity(tally: Tally, limit: number): boolean {
    if (tally.failures >= limit) return false
    if (tally.open.size < limit) return true
    const [oldest] = tally.open
    return oldest !== undefined && performance.now() - oldest.since >= pressedMs
  }

  function evictOldest(tally: Tally, limit: number): void {
    if (tally.open.size < limit) return
    const [oldest] = tally.open
    oldest?.leave()
    oldest?.drop()
  }

  return {
    enter: (address, drop) => {
      const source = sourceOf(address)
      const own = sources.get(source) ?? newTally()
      const pool = known.has(source) ? knownPool : unknownPool
      if (!hasCapacity(own, perAddress) || !hasCapacity(pool, total)) return null
      evictOldest(own, perAddress)
      evictOldest(pool, total)

      const tallies = [own, pool]
      const waiting: Waiting = {
        since: performance.now(),
        leave: () => {
          for (const { open } of tallies) open.delete(waiting)
          forgetIfEmpty()
        },
        drop,
      }
      const forgetIfEmpty = () => {
        if (own.open.size === 0 && own.failures === 0) sources.delete(source)
      }
      const countFailure = (by: 1 | -1) => {
        for (const tally of tallies) tally.failures += by
      }
      sources.set(source, own)
      for (const { open } of tallies) open.add(waiting)

      let end: (() => void) | null = null
      let isClosed = false
      return {
        admitted: (name) => {
          if (end !== null || isClosed) return
          waiting.leave()
          end = known.admitted(source, name)
        },
        closed: (isCostly) => {
          if (isClosed) return
          isClosed = true
          if (end !== null) return end()
          if (isCostly) {
            sources.set(source, own)
            countFailure(1)
            const forget = () => {
              countFailure(-1)
              forgetIfEmpty()
            }
            setTimeout(forget, memoryMs).unref()
          }
          waiting.leave()
        },
      }
    },
  }
}
