import type { KnownSources } from './known-sources.ts'
import { sourceOf } from './source-of.ts'

export interface HandshakeLimits {
  /** Open connections of one address (IPv6: of one /64) that are not admitted yet; also its costly failures within `memoryMs`. */
  readonly perAddress: number
  /** The same of all known sources together, and once more of all unknown ones. */
  readonly total: number
  /** How long a costly failure counts, ms. */
  readonly memoryMs: number
  /** Where a limit is reached, a connection that is not admitted after this time is dropped for a new one, ms. */
  readonly pressedMs: number
}

export const DEFAULT_HANDSHAKES: HandshakeLimits = {
  perAddress: 64,
  total: 1024,
  memoryMs: 10_000,
  pressedMs: 3_000,
}

/** One connection on its way in. Each may be called more than once. */
export interface Entrant {
  /** The holder of this certificate was admitted: the connection counts no more. */
  admitted(name: string): void
  /** `isCostly`: it began a handshake. One that never sent a byte cost no processor time. */
  closed(isCostly: boolean): void
}

/**
 * Bounds what strangers cost. Everybody who reaches the port can open connections and begin handshakes; without a bound for each
 * address one machine could take every connection of the broker, or all of its processor, from the edges. Sources from which a certificate
 * was admitted lately have a bound of their own, which strangers from everywhere together can not exhaust.
 */
export interface HandshakeGate {
  /** null: too many already. `drop` ends the connection in favour of a newer one. */
  enter(address: string, drop: () => void): Entrant | null
}

interface Waiting {
  readonly since: number
  leave(): void
  drop(): void
}

/** What counts against one limit. */
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

  function hasRoom(tally: Tally, limit: number): boolean {
    if (tally.failures >= limit) return false
    if (tally.open.size < limit) return true
    const [oldest] = tally.open
    return oldest !== undefined && performance.now() - oldest.since >= pressedMs
  }

  function makeRoom(tally: Tally, limit: number): void {
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
      if (!hasRoom(own, perAddress) || !hasRoom(pool, total)) return null
      makeRoom(own, perAddress)
      makeRoom(pool, total)

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
