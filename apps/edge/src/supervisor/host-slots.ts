import { setTimeout as delay } from 'node:timers/promises'
import { canonicalHost } from '@vigia/rtsp/address-policy'
import {
  type ConnectionSlots,
  type ConnectionUse,
  createConnectionSlots,
  type SlotAnswer,
} from '../capture/connection-slots.ts'
import type { HostLimitStore } from './host-limit-store.ts'
import { type ConnectionLimit, createHostLimits } from './host-limits.ts'

/**
 * Counts the connections to each recorder over all processes: attempts, and open connections where a limit is declared
 * or learned.
 * `owner`: the requesting process.
 */
export interface HostSlots {
  /** `answer` is called with `granted` at most once, at once or later, when the slot is free. */
  request(owner: object, request: HostRequest, answer: (kind: SlotAnswer['kind']) => void): void
  /** Ends the attempt; the connection stays counted. */
  opened(owner: object, ticket: number): void
  /** Also withdraws a request that still waits. `isLost`: the connection ended by itself. */
  release(owner: object, ticket: number, isLost?: boolean): void
  /** Releases all slots of an ended process. */
  releaseAll(owner: object): void
  /** Replaces the declared limits. Surplus connections other than those of analyses are revoked. */
  limit(limits: readonly ConnectionLimit[]): void
  /** The limit that the edge has learned of a host; null: none. */
  learned(host: string): number | null
}

interface HostRequest {
  readonly ticket: number
  readonly host: string
  readonly use: ConnectionUse
}

interface Entry {
  readonly owner: object
  readonly ticket: number
  readonly use: ConnectionUse
  readonly answer: (kind: SlotAnswer['kind']) => void
  /** `closing`: closed by us, and possibly not yet by the recorder. */
  state: 'waiting' | 'trying' | 'open' | 'closing'
  isFull: boolean
  isRevoked: boolean
  /** Monotonic ms; null: not begun. */
  begunAt: number | null
}

const UNUSED = { isFull: false, isRevoked: false, begunAt: null }

const RANKS: Record<ConnectionUse, number> = { http: 0, analysis: 0, live: 1, request: 2, archive: 3 }
/** A recorder notices the end of a connection some time after its client. */
const CLOSING_MS = 500

interface HostSlotsOptions {
  readonly closingMs?: number
  /** Monotonic, in ms. */
  now?(): number
  onLearned?(host: string, connections: number): void
  /** Learned limits of an earlier start of the program. */
  readonly store?: HostLimitStore
}

export function createHostSlots(attemptsPerHost: number, options: HostSlotsOptions = {}): HostSlots {
  const { closingMs = CLOSING_MS, now = () => performance.now() } = options
  const hosts = new Map<string, Entry[]>()
  const limits = createHostLimits(now, options.store)

  function hasCapacity(host: string, entries: readonly Entry[], use: ConnectionUse): boolean {
    const limit = limits.of(host)
    if (!limit || use === 'http') return true
    if (entries.filter(isHeld).length >= limit.connections) return false
    return use === 'analysis' || entries.filter(isExtra).length < extrasOf(limit)
  }

  function revoke(entry: Entry): void {
    entry.isRevoked = true
    entry.answer('revoked')
  }

  /** Revokes the connection that comes last and begins after `waiting` in the order of uses. */
  function revokeFor(entries: readonly Entry[], waiting: Entry): void {
    if (entries.some(({ state, isRevoked }) => state === 'closing' || isRevoked)) return
    const last = entries.filter(isExtra).sort(byRank).at(-1)
    if (last && RANKS[last.use] > RANKS[waiting.use]) revoke(last)
    else if (!waiting.isFull) {
      waiting.isFull = true
      waiting.answer('full')
    }
  }

  function serve(host: string): void {
    const entries = hosts.get(host) ?? []
    for (const entry of entries.filter(({ state }) => state === 'waiting').sort(byRank)) {
      if (entries.filter(({ state }) => state === 'trying').length >= attemptsPerHost) return
      if (!hasCapacity(host, entries, entry.use)) revokeFor(entries, entry)
      else {
        entry.state = 'trying'
        entry.begunAt = now()
        if (isExtra(entry)) limits.began(host)
        entry.answer('granted')
      }
    }
  }

  function remove(host: string, isGone: (entry: Entry) => boolean): void {
    const kept = (hosts.get(host) ?? []).filter((entry) => !isGone(entry))
    if (kept.length > 0) hosts.set(host, kept)
    else hosts.delete(host)
    serve(host)
  }

  async function close(host: string, entry: Entry): Promise<void> {
    entry.state = 'closing'
    serve(host)
    await delay(closingMs, undefined, { ref: false })
    remove(host, (one) => one === entry)
  }

  function releaseIf(matches: (entry: Entry) => boolean): void {
    for (const [host, entries] of hosts) {
      const ended = entries.filter((entry) => entry.state !== 'closing' && matches(entry))
      if (ended.length === 0) continue
      const closing = limits.of(host) ? ended.filter(isHeld) : []
      for (const entry of closing) void close(host, entry)
      remove(host, (entry) => ended.includes(entry) && !closing.includes(entry))
    }
  }

  function revokeSurplus(host: string, limit = limits.of(host)): void {
    if (!limit) return
    const extras = (hosts.get(host) ?? []).filter((entry) => isExtra(entry) && !entry.isRevoked).sort(byRank)
    extras.slice(extrasOf(limit)).forEach(revoke)
  }

  /** The end of an analysed stream may be due to a further connection of this edge. */
  function learnFrom(owner: object, ticket: number): void {
    for (const [host, entries] of hosts) {
      const lost = entries.find((one) => one.owner === owner && one.ticket === ticket)
      if (lost?.use !== 'analysis' || lost.state !== 'open') continue
      const others = entries.filter((entry) => entry !== lost && isHeld(entry) && entry.state !== 'closing')
      const connections = limits.lost(host, heldOf(lost), others.map(heldOf))
      if (connections === null) continue
      revokeSurplus(host)
      options.onLearned?.(host, connections)
    }
  }

  return {
    request(owner, { ticket, host: typedHost, use }, answer) {
      const host = canonicalHost(typedHost)
      const entry: Entry = { owner, ticket, use, answer, state: 'waiting', ...UNUSED }
      hosts.set(host, [...(hosts.get(host) ?? []), entry])
      serve(host)
    },
    opened(owner, ticket) {
      for (const [host, entries] of hosts) {
        const entry = entries.find((one) => one.owner === owner && one.ticket === ticket)
        if (entry?.state !== 'trying') continue
        entry.state = 'open'
        serve(host)
      }
    },
    release(owner, ticket, isLost = false) {
      if (isLost) learnFrom(owner, ticket)
      releaseIf((entry) => entry.owner === owner && entry.ticket === ticket)
    },
    releaseAll: (owner) => releaseIf((entry) => entry.owner === owner),
    limit(next) {
      limits.declare(next)
      for (const host of hosts.keys()) {
        revokeSurplus(host)
        serve(host)
      }
    },
    learned: limits.learned,
  }
}

/** Number of connections for other uses than analyses. */
const extrasOf = ({ connections, cameras }: ConnectionLimit) => Math.max(0, connections - cameras)
const isHeld = ({ use, state }: Entry) => use !== 'http' && state !== 'waiting'
const isExtra = (entry: Entry) => isHeld(entry) && entry.use !== 'analysis'

const heldOf = ({ use, begunAt }: Entry) => ({ isAnalysis: use === 'analysis', begunAt })

/** Equal ranks stay in the order of their requests. */
const byRank = (a: Entry, b: Entry): number => RANKS[a.use] - RANKS[b.use]

/** Slots for the main process itself, counted together with the streams of the capture processes. */
export function createOwnSlots(hosts: HostSlots): ConnectionSlots {
  const owner = {}
  const slots = createConnectionSlots({
    request: (ticket, host, use) =>
      // Later, as from another process: the receiver may send a request or a release.
      hosts.request(owner, { ticket, host, use }, (kind) => queueMicrotask(() => slots.receive({ kind, ticket }))),
    opened: (ticket) => hosts.opened(owner, ticket),
    release: (ticket, isLost) => hosts.release(owner, ticket, isLost),
  })
  return slots
}
