import { setTimeout as delay } from 'node:timers/promises'
import { canonicalHost } from '@vigia/rtsp/address-policy'
import {
  type ConnectionSlots,
  type ConnectionUse,
  createConnectionSlots,
  type SlotAnswer,
} from '../capture/connection-slots.ts'

/** Declared limit of one recorder. */
export interface ConnectionLimit {
  readonly host: string
  /** Largest number of open connections. */
  readonly connections: number
  /** Analysed cameras; one connection of each is never given to another use. */
  readonly cameras: number
}

/**
 * Counts the connections to each recorder over all processes: attempts, and open connections where a limit is declared.
 * `owner`: the requesting process.
 */
export interface HostSlots {
  /** `answer` is called with `granted` at most once, at once or later, when the slot is free. */
  request(owner: object, request: HostRequest, answer: (kind: SlotAnswer['kind']) => void): void
  /** Ends the attempt; the connection stays counted. */
  opened(owner: object, ticket: number): void
  /** Also withdraws a request that still waits. */
  release(owner: object, ticket: number): void
  /** Releases all slots of an ended process. */
  releaseAll(owner: object): void
  /** Replaces the declared limits. Surplus connections other than those of analyses are revoked. */
  limit(limits: readonly ConnectionLimit[]): void
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
}

const RANKS: Record<ConnectionUse, number> = { http: 0, analysis: 0, live: 1, request: 2, archive: 3 }
/** A recorder notices the end of a connection some time after its client. */
const CLOSING_MS = 500

export function createHostSlots(attemptsPerHost: number, { closingMs = CLOSING_MS } = {}): HostSlots {
  const hosts = new Map<string, Entry[]>()
  let limits = new Map<string, ConnectionLimit>()

  /** Number of connections for other uses than analyses. */
  const extrasOf = ({ connections, cameras }: ConnectionLimit) => Math.max(0, connections - cameras)
  const isHeld = ({ use, state }: Entry) => use !== 'http' && state !== 'waiting'
  const isExtra = (entry: Entry) => isHeld(entry) && entry.use !== 'analysis'

  function hasCapacity(host: string, entries: readonly Entry[], use: ConnectionUse): boolean {
    const limit = limits.get(host)
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
      const closing = limits.has(host) ? ended.filter(isHeld) : []
      for (const entry of closing) void close(host, entry)
      remove(host, (entry) => ended.includes(entry) && !closing.includes(entry))
    }
  }

  return {
    request(owner, { ticket, host: typedHost, use }, answer) {
      const host = canonicalHost(typedHost)
      const entry: Entry = { owner, ticket, use, answer, state: 'waiting', isFull: false, isRevoked: false }
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
    release: (owner, ticket) => releaseIf((entry) => entry.owner === owner && entry.ticket === ticket),
    releaseAll: (owner) => releaseIf((entry) => entry.owner === owner),
    limit(next) {
      limits = new Map(next.map((limit) => [canonicalHost(limit.host), limit]))
      for (const [host, limit] of limits) {
        const extras = (hosts.get(host) ?? []).filter((entry) => isExtra(entry) && !entry.isRevoked).sort(byRank)
        extras.slice(extrasOf(limit)).forEach(revoke)
      }
      for (const host of hosts.keys()) serve(host)
    },
  }
}

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
    release: (ticket) => hosts.release(owner, ticket),
  })
  return slots
}
