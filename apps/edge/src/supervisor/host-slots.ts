import { setTimeout as delay } from 'node:timers/promises'
import { canonicalHost } from '@vigia/rtsp/address-policy'
import {
  type ConnectionSlots,
  type ConnectionUse,
  createConnectionSlots,
  type SlotAnswer,
  type SlotEnd,
} from '../capture/connection-slots.ts'
import type { HostLimitStore } from './host-limit-store.ts'
import { type ConnectionLimit, createHostLimits, type HostLimits } from './host-limits.ts'
import { createHostLogins } from './host-logins.ts'
import { createWorseStreams, type WorseStreams } from './worse-streams.ts'

/**
 * Counts the connections to each recorder over all processes: attempts, and open connections where a limit is declared
 * or learned. A login that the recorder refuses is sent rarely (`host-logins.ts`).
 * `owner`: the requesting process.
 */
export interface HostSlots {
  /** `answer` is called with `granted` at most once, at once or later, when the slot is free. */
  request(owner: object, request: HostRequest, answer: (kind: SlotAnswer['kind']) => void): void
  /** Ends the attempt; the connection stays counted. */
  opened(owner: object, ticket: number): void
  /** Also withdraws a request that still waits. */
  release(owner: object, ticket: number, end?: SlotEnd): void
  /** A person wants this login to be sent now. */
  forgive(host: string, login: string | undefined): void
  /** Releases all slots of an ended process. */
  releaseAll(owner: object): void
  /** Replaces the declared limits. Surplus connections other than those of analyses are revoked. */
  limit(limits: readonly ConnectionLimit[]): void
  /** The limit that the edge has learned of a host; null: none. */
  learned(host: string): number | null
  /** `pictures` of an analysed stream since its connection began; null: it has none. Called at least every second. */
  measured(host: string, cameraId: number, pictures: number | null): void
}

interface HostRequest {
  readonly ticket: number
  readonly host: string
  readonly login?: string | undefined
  readonly use: ConnectionUse
}

interface Entry {
  readonly owner: object
  readonly ticket: number
  readonly use: ConnectionUse
  /** Host and login; null: no login. */
  readonly key: string | null
  readonly answer: (kind: SlotAnswer['kind']) => void
  /** `closing`: closed by us, and possibly not yet by the recorder. */
  state: 'waiting' | 'trying' | 'open' | 'closing'
  isFull: boolean
  isRefused: boolean
  isRevoked: boolean
  /** Monotonic ms; null: not begun. */
  begunAt: number | null
}

const UNUSED = { isFull: false, isRefused: false, isRevoked: false, begunAt: null }

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
  const streams = createWorseStreams(now)
  const bars = createBars(now, serve)
  const learner = createLearner(hosts, limits, streams, (host, connections) => {
    revokeSurplus(host)
    options.onLearned?.(host, connections)
  })

  function serve(host: string): void {
    const entries = hosts.get(host) ?? []
    for (const entry of entries.filter(({ state }) => state === 'waiting').sort(byRank)) {
      if (entries.filter(({ state }) => state === 'trying').length >= attemptsPerHost) return
      if (bars.isBarred(entries, entry)) continue
      if (!hasCapacity(limits.of(host), entries, entry.use)) revokeFor(entries, entry)
      else {
        entry.state = 'trying'
        entry.begunAt = now()
        if (isExtra(entry)) {
          limits.began(host)
          streams.began(host, entry.begunAt, openExtras(entries).length - 1)
        }
        entry.answer('granted')
      }
    }
  }

  function remove(host: string, isGone: (entry: Entry) => boolean): void {
    const kept = (hosts.get(host) ?? []).filter((entry) => !isGone(entry))
    if (kept.length > 0) hosts.set(host, kept)
    else hosts.delete(host)
    streams.ended(host, openExtras(kept).length)
    serve(host)
  }

  async function close(host: string, entry: Entry): Promise<void> {
    entry.state = 'closing'
    streams.ended(host, openExtras(hosts.get(host) ?? []).length)
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

  function ended(owner: object, ticket: number, end: Exclude<SlotEnd, null>): void {
    for (const [host, entries] of hosts) {
      const entry = entries.find((one) => one.owner === owner && one.ticket === ticket)
      if (!entry) continue
      if (end === 'refused') bars.refused(host, entries, entry)
      else if (end === 'unreachable') bars.unreachable(host)
      learner.ended(host, entry)
    }
  }

  return {
    request(owner, { ticket, host: typedHost, login, use }, answer) {
      const host = canonicalHost(typedHost)
      const entry: Entry = { owner, ticket, use, key: keyOf(host, login), answer, state: 'waiting', ...UNUSED }
      hosts.set(host, [...(hosts.get(host) ?? []), entry])
      serve(host)
    },
    opened(owner, ticket) {
      for (const [host, entries] of hosts) {
        const entry = entries.find((one) => one.owner === owner && one.ticket === ticket)
        if (entry?.state !== 'trying') continue
        entry.state = 'open'
        bars.forget(entry.key)
        serve(host)
      }
    },
    release(owner, ticket, end = null) {
      if (end !== null) ended(owner, ticket, end)
      releaseIf((entry) => entry.owner === owner && entry.ticket === ticket)
    },
    forgive(typedHost, login) {
      bars.forget(keyOf(canonicalHost(typedHost), login))
      serve(canonicalHost(typedHost))
    },
    releaseAll: (owner) => releaseIf((entry) => entry.owner === owner),
    limit(next) {
      limits.declare(next)
      streams.retain(next.map(({ host }) => canonicalHost(host)))
      for (const host of hosts.keys()) {
        revokeSurplus(host)
        serve(host)
      }
    },
    learned: limits.learned,
    measured: (host, cameraId, pictures) => learner.measured(canonicalHost(host), cameraId, pictures),
  }
}

/** Learns how many connections a host bears from the end, or the change, of its analysed streams. */
function createLearner(
  hosts: ReadonlyMap<string, readonly Entry[]>,
  limits: HostLimits,
  streams: WorseStreams,
  onLearned: (host: string, connections: number) => void,
) {
  const learn = (host: string, connections: number | null) => {
    if (connections !== null) onLearned(host, connections)
  }
  return {
    ended(host: string, lost: Entry): void {
      if (lost.use !== 'analysis' || lost.state !== 'open') return
      const others = (hosts.get(host) ?? []).filter((entry) => entry !== lost && isOpen(entry))
      learn(host, limits.lost(host, heldOf(lost), others.map(heldOf)))
    },
    measured(host: string, cameraId: number, pictures: number | null): void {
      const change = streams.measured(host, cameraId, pictures)
      if (change === null) return
      const others = withoutCause(hosts.get(host) ?? [], streams.sinceOf(host))
      learn(host, limits.changed(host, change, others.length))
    },
  }
}

function hasCapacity(limit: ConnectionLimit | undefined, entries: readonly Entry[], use: ConnectionUse): boolean {
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

/** Bars the analyses of a host whose login was refused. `serve` is called when the pause is over. */
function createBars(now: () => number, serve: (host: string) => void) {
  const logins = createHostLogins(now)
  async function serveLater(host: string, key: string): Promise<void> {
    for (let waitMs = logins.waitMs(key); waitMs > 0; waitMs = logins.waitMs(key))
      await delay(waitMs, undefined, { ref: false })
    serve(host)
  }
  return {
    isBarred(entries: readonly Entry[], entry: Entry): boolean {
      if (entry.key === null || entry.use !== 'analysis') return false
      const waitMs = logins.waitMs(entry.key)
      const isUnderWay = entries.some(({ key, state }) => key === entry.key && state === 'trying')
      if (waitMs === 0) return isUnderWay && logins.isSuspect(entry.key)
      if (!entry.isRefused) {
        entry.isRefused = true
        entry.answer('refused')
      }
      return true
    },
    /** While another stream has this login, its password is right: the host has no free session for a further one. */
    refused(host: string, entries: readonly Entry[], { key }: Entry): void {
      const isRight = entries.some((one) => one.key === key && one.state === 'open')
      if (key === null || isRight) return
      logins.refused(key, host)
      void serveLater(host, key)
    },
    unreachable: logins.unreachable,
    forget(key: string | null): void {
      if (key !== null) logins.forget(key)
    },
  }
}

const keyOf = (host: string, login: string | undefined) => (login === undefined ? null : `${host} ${login}`)

/** Number of connections for other uses than analyses. */
const extrasOf = ({ connections, cameras }: ConnectionLimit) => Math.max(0, connections - cameras)
const isHeld = ({ use, state }: Entry) => use !== 'http' && state !== 'waiting'
const isOpen = (entry: Entry) => isHeld(entry) && entry.state !== 'closing'
const isExtra = (entry: Entry) => isHeld(entry) && entry.use !== 'analysis'
/** The connections that are older than those that may have made a stream worse. */
const withoutCause = (entries: readonly Entry[], since: number | null) =>
  entries.filter((entry) => isOpen(entry) && !(isExtra(entry) && since !== null && (entry.begunAt ?? 0) >= since))
const openExtras = (entries: readonly Entry[]) => entries.filter((entry) => isExtra(entry) && isOpen(entry))

const heldOf = ({ use, begunAt }: Entry) => ({ isAnalysis: use === 'analysis', begunAt })

/** Equal ranks stay in the order of their requests. */
const byRank = (a: Entry, b: Entry): number => RANKS[a.use] - RANKS[b.use]

/** Slots for the main process itself, counted together with the streams of the capture processes. */
export function createOwnSlots(hosts: HostSlots): ConnectionSlots {
  const owner = {}
  const slots = createConnectionSlots({
    request: (ticket, host, use, login) =>
      // Later, as from another process: the receiver may send a request or a release.
      hosts.request(owner, { ticket, host, login, use }, (kind) =>
        queueMicrotask(() => slots.receive({ kind, ticket })),
      ),
    opened: (ticket) => hosts.opened(owner, ticket),
    release: (ticket, end) => hosts.release(owner, ticket, end),
  })
  return slots
}
