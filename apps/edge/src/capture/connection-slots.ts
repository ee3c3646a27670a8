import type { ContactSlots } from '@vigia/rtsp/contact'

/**
 * Uses of a connection to a recorder, in the order in which a declared limit of connections serves them.
 * `http` is no stream: it counts as an attempt only.
 */
export type ConnectionUse = 'analysis' | 'live' | 'request' | 'archive' | 'http'

interface SlotRequest {
  readonly host: string
  readonly use: ConnectionUse
  readonly signal: AbortSignal
  /** Called once if the recorder is at its limit and no connection gives way; the request goes on waiting. */
  onFull?(): void
}

/** Permission to open one connection to a recorder and to keep it. */
interface ConnectionSlot {
  /** Ends the attempt: the connection is open, or no connection will follow. */
  opened(): void
  /** The connection is closed. Idempotent. */
  release(): void
  /** The same; the device has ended it. */
  lost(): void
  /** Aborts when the connection must give way to one that comes first. */
  readonly revoked: AbortSignal
}

/** Limits the attempts and the open connections to a recorder over all processes. */
export interface ConnectionSlots {
  /** Null when `signal` aborts first. */
  acquire(request: SlotRequest): Promise<ConnectionSlot | null>
}

/** Answer of the main process to the request with this ticket. */
export interface SlotAnswer {
  readonly kind: 'granted' | 'full' | 'revoked'
  readonly ticket: number
}

interface Waiting {
  readonly granted: () => void
  readonly full: () => void
  readonly revoked: AbortController
}

/** Client in the capture process: requests slots from the main process, which counts them over all processes. */
export function createConnectionSlots(channel: {
  request(ticket: number, host: string, use: ConnectionUse): void
  opened(ticket: number): void
  release(ticket: number, isLost: boolean): void
}): ConnectionSlots & { receive(answer: SlotAnswer): void } {
  const requests = new Map<number, Waiting>()
  let nextTicket = 1
  return {
    async acquire({ host, use, signal, onFull }) {
      if (signal.aborted) return null
      const ticket = nextTicket++
      const revoked = new AbortController()
      const end = (isLost: boolean) => {
        if (requests.delete(ticket)) channel.release(ticket, isLost)
      }
      const [release, lost] = [() => end(false), () => end(true)]
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
          resolve({ opened, release, lost, revoked: revoked.signal })
        },
        full: () => onFull?.(),
        revoked,
      })
      channel.request(ticket, host, use)
      return promise
    },
    receive({ kind, ticket }) {
      const request = requests.get(ticket)
      if (kind === 'revoked') request?.revoked.abort()
      else request?.[kind]()
    },
  }
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
