import { canonicalHost } from '@vigia/rtsp/address-policy'
import type { HostLimitStore } from './host-limit-store.ts'
import { createWorseHosts } from './worse-hosts.ts'
import type { StreamChange } from './worse-streams.ts'

/** Time from the begin of a connection to the loss of another one that it may have caused: a stall is noticed late. */
const CAUSE_MS = 15_000
/** A connection that was open for less has no other cause to be excluded. */
const STEADY_MS = 5_000
/** Two losses farther apart have different causes. */
const STRIKE_MS = 3_600_000
/** So many losses in STRIKE_MS under a learned limit, so without a further connection, refute it. */
const REFUTING_LOSSES = 2
/** After this time the device gets another chance: its firmware or its settings may have changed. */
const LEARNED_MS = 7 * 24 * 3_600_000

/** A connection to a host. Times: monotonic ms; null: not begun. */
export interface HeldConnection {
  readonly isAnalysis: boolean
  readonly begunAt: number | null
}

/** The cameras of one recorder, and its limit. */
export interface ConnectionLimit {
  readonly host: string
  /** Largest number of open connections; Infinity: not declared. */
  readonly connections: number
  /** Analysed cameras; one connection of each is never given to another use. */
  readonly cameras: number
}

/**
 * Declared limits of connections, and learned ones. An analysed stream that is lost right after the edge has opened a
 * further connection to the same host is a strike. After two, the host has as many connections as before it. A device
 * whose streams also end without one fails by itself: it gets no strike, and loses its learned limit.
 * `worse-hosts.ts` has the same rule for a stream that becomes worse.
 */
export interface HostLimits {
  /** The smaller of both limits; undefined: none. */
  of(host: string): ConnectionLimit | undefined
  /** Replaces the declared limits. */
  declare(limits: readonly ConnectionLimit[]): void
  /** The learned limit; null: none. */
  learned(host: string): number | null
  /** A connection other than an analysis begins. It may end before the loss that it causes is noticed. */
  began(host: string): void
  /** An analysed stream has ended by itself. `others`: the other connections to its host. Returns a new limit. */
  lost(host: string, lost: HeldConnection, others: readonly HeldConnection[]): number | null
  /** An analysed stream is worse or usual again. `others`: connections that are not the cause. As `lost`. */
  changed(host: string, change: StreamChange, others: number): number | null
}

interface Found {
  readonly connections: number
  readonly since: number
  /** Streams became worse; absent: they ended, or an earlier start of the program has learned it. */
  readonly isWorse?: boolean
}

/** @param now monotonic ms @param store of an earlier start of the program; default: none */
export function createHostLimits(now: () => number, store?: HostLimitStore): HostLimits {
  let declared = new Map<string, ConnectionLimit>()
  const strikes = new Map<string, number>()
  /** The last connection other than an analysis. */
  const lastBegun = new Map<string, number>()
  /** Times of losses without a further connection before them. */
  const ownLosses = new Map<string, readonly number[]>()
  const found = new Map<string, Found>()
  const worse = createWorseHosts(now)

  function learned(typedHost: string): number | null {
    const host = canonicalHost(typedHost)
    const one = found.get(host)
    if (one && now() - one.since < LEARNED_MS) return one.connections
    found.delete(host)
    return null
  }

  function save(): void {
    store?.save([...found].map(([host, { connections, since }]) => ({ host, connections, ageMs: now() - since })))
  }

  /** Takes over what an earlier start of the program has learned of a host. */
  function restore(host: string): void {
    const known = store?.load(host)
    if (known) found.set(host, { connections: known.connections, since: now() - known.ageMs })
  }

  function learn(host: string, one: Found): number | null {
    if (one.connections >= (learned(host) ?? Number.POSITIVE_INFINITY)) return null
    found.set(host, one)
    save()
    return one.connections
  }

  return {
    learned,
    of(host) {
      const limit = declared.get(host)
      const connections = Math.min(
        limit?.connections ?? Number.POSITIVE_INFINITY,
        learned(host) ?? Number.POSITIVE_INFINITY,
      )
      return limit && Number.isFinite(connections) ? { ...limit, connections } : undefined
    },
    declare(limits) {
      const before = declared
      declared = new Map(limits.map((limit) => [canonicalHost(limit.host), limit]))
      for (const host of declared.keys()) if (!before.has(host)) restore(host)
      const gone = [...found.keys()].filter((host) => !declared.has(host))
      for (const host of before.keys()) if (!declared.has(host)) worse.forget(host)
      for (const map of [strikes, lastBegun, ownLosses, found])
        for (const host of [...map.keys()].filter((one) => !declared.has(one))) map.delete(host)
      if (gone.length > 0) save()
    },
    began(host) {
      if (declared.has(host)) lastBegun.set(host, now())
    },
    lost(host, { begunAt }, others) {
      const atMs = now()
      if (begunAt === null || atMs - begunAt < STEADY_MS) return null
      const isCause = (since: number) => since > begunAt && atMs - since <= CAUSE_MS
      const last = lastBegun.get(host)
      const own = (ownLosses.get(host) ?? []).filter((at) => atMs - at <= STRIKE_MS)
      if (last === undefined || !isCause(last)) {
        ownLosses.set(host, [...own, atMs].slice(-REFUTING_LOSSES))
        const since = found.get(host)?.since ?? Number.POSITIVE_INFINITY
        const refuted = [...own, atMs].filter((at) => at > since).length >= REFUTING_LOSSES
        if (refuted && found.delete(host)) save()
        return null
      }
      if (own.length > 0) return null
      const before = strikes.get(host)
      if (before === undefined || atMs - before > STRIKE_MS) {
        strikes.set(host, atMs)
        return null
      }
      strikes.delete(host)
      const connections = 1 + others.filter((other) => other.isAnalysis || !isCause(other.begunAt ?? atMs)).length
      return learn(host, { connections, since: atMs })
    },
    changed(host, change, others) {
      const one = found.get(host)
      const verdict = declared.has(host) ? worse.judge(host, change, one?.isWorse ? one.since : null) : null
      // Every camera keeps its stream, also one that is offline now.
      const connections = Math.max(declared.get(host)?.cameras ?? 1, others)
      if (verdict === 'learn') return learn(host, { connections, since: now(), isWorse: true })
      if (verdict === 'refute' && one?.isWorse && found.delete(host)) save()
      return null
    },
  }
}
