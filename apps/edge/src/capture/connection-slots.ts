import type { ContactSlots } from '@vigia/rtsp/contact'

/**
 * Uses of a connection to a recorder, in the order in which a declared limit of connections serves them.
 * `http` is no stream: it counts as an attempt only.
 */
export type ConnectionUse = 'analysis' | 'live' | 'request' | 'archive' | 'http'

interface SlotRequest {
  readonly host: string
  /** User and password; absent: the connection sends none. Stays in memory. */
  readonly login?: string | undefined
  readonly use: ConnectionUse
  readonly signal: AbortSignal
  /** Called once if the recorder is at its limit and no connection gives way; the request goes on waiting. */
  onFull?(): void
  /** Called once if the host has refused this login too often of late; the request goes on waiting. */
  onRefused?(): void
}

/** Permission to open one connection to a recorder and to keep it. */
interface ConnectionSlot {
  /** Ends the attempt: the connection is open, or no connection will follow. */
  opened(): void
  /** The connection is closed. Idempotent. */
  release(): void
  /** The same; the device has ended it. */
  lost(): void
  /** The same; the device has refused the login. */
  refused(): void
  /** The same; the device refused the connection, or did not answer. */
  unreachable(): void
  /** Aborts when the connection must give way to one that comes first. */
  readonly revoked: AbortSignal
}

/** Limits the attempts and the open connections to a recorder over all processes. */
export interface ConnectionSlots {
  /** Null when `signal` aborts first. */
  acquire(request: SlotRequest): Promise<ConnectionSlot | null>
}

/** How a connection ended by itself; null: it was closed. */
export type SlotEnd = 'lost' | 'refused' | 'unreachable' | null

/** Answer of the main process to the request with this ticket. */
export interface SlotAnswer {
  readonly kind: 'granted' | 'full' | 'refused' | 'revoked'
  readonly ticket: number
}

interface Waiting {
  readonly granted: () => void
  readonly full: () => void
  readonly refused: () => void
  readonly revoked: AbortController
}

/** Client in the capture process: requests slots from the main process, which counts them over all processes. */
export function createConnectionSlots(channel: {
  request(ticket: number, host: string, use: ConnectionUse, login: string | undefined): void
  opened(ticket: number): void
  release(ticket: number, end: SlotEnd): void
}): ConnectionSlots & { receive(answer: SlotAnswer): void } {
  const requests = new Map<number, Waiting>()
  let nextTicket = 1
  return {
    async acquire({ host, login, use, signal, onFull, onRefused }) {
      if (signal.aborted) return null
      const ticket = nextTicket++
      const revoked = new AbortController()
      const end = (how: SlotEnd) => () => {
        if (requests.delete(ticket)) channel.release(ticket, how)
      }
      const release = end(null)
      const ends = { release, lost: end('lost'), refused: end('refused'), unreachable: end('unreachable') }
      const { promise, resolve } = Promise.withResolvers<ConnectionSlot | null>()
      const giveUp = () => {
        // Also withdraws a request that still waits in the main process.
        release()
        resolve(null)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      requests.set(ticket, {
        granted() {
          signal.removeEventListener('abort', giveUp)
          const opened = () => requests.has(ticket) && channel.opened(ticket)
          resolve({ opened, ...ends, revoked: revoked.signal })
        },
        full: () => onFull?.(),
        refused: () => onRefused?.(),
        revoked,
      })
      channel.request(ticket, host, use, login)
      return promise
    },
    receive({ kind, ticket }) {
      const request = requests.get(ticket)
      if (kind === 'revoked') request?.revoked.abort()
      else request?.[kind]()
    },
  }
}

/** User and password of a stream address; undefined: it has none. */
export function loginOf(url: string): string | undefined {
  const { username = '', password = '' } = URL.parse(url) ?? {}
  return username === '' ? undefined : `${username}:${password}`
}

/** Host of a stream address, for counting connections; the unchanged text if it is no URL. */
export const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ''

/** Slots for probes, which end at once when the recorder is at its limit of connections. */
export function createProbeSlots(slots: ConnectionSlots): ContactSlots {
  return {
    async acquire(url, caller) {
      const full = new AbortController()
      const slot = await slots.acquire({
        host: hostOf(url),
        use: /^rtsps?:/i.test(url) ? 'request' : 'http',
        signal: AbortSignal.any([caller, full.signal]),
        onFull: () => full.abort(),
      })
      return slot?.release ?? null
    },
  }
}
