import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createReplyReader, type Reply } from './reply.ts'

export interface Endpoint {
  /** IP address. Never a name, which would be resolved a second time. */
  readonly address: string
  readonly porta: number
  readonly tls: boolean
}

export type Exchange =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** `start`: the first bytes received. */
  | { readonly kind: 'not_rtsp'; readonly start: Buffer }
  /** No complete reply in time, an early close, or a reply above the limit. `isRtsp`: the bytes begin like a reply. */
  | { readonly kind: 'silent' | 'cut' | 'overlong'; readonly isRtsp: boolean }
  | { readonly kind: 'aborted' }

/** Connection refused, timeout, no route, no TLS. */
export type Unreachable = 'refused' | 'timeout' | 'no_route' | 'no_tls'

/** A connection with one request at a time. */
export interface Line {
  /** Sends a request and waits for the reply with its CSeq. */
  exchange(request: string, cseq: number): Promise<Exchange>
  /** False after the server has closed. */
  readonly isOpen: boolean
  /**
   * Resolves when the server has closed, or after a time limit, so that the next connection does not exceed its limit.
   */
  close(): Promise<void>
}

export interface LineOptions {
  /** Time limit of the connection and of each reply. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Wait for the server's own close. */
const FAREWELL_MS = 250

/** By the code of the error of a connection. */
export const unreachableBy: Readonly<Record<string, Unreachable>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  EPIPE: 'refused',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'no_route',
  EHOSTDOWN: 'no_route',
  ENETUNREACH: 'no_route',
  ENETDOWN: 'no_route',
  EADDRNOTAVAIL: 'no_route',
  EACCES: 'no_route',
  EPERM: 'no_route',
  EINVAL: 'no_route',
}

export type OpenedSocket =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly why: Unreachable | 'aborted' }

/**
 * Connects, with TLS if the endpoint has `tls`. Rejects only for a defect of this machine (no file descriptors left).
 */
export function openSocket(endpoint: Endpoint, { timeoutMs, signal }: LineOptions): Promise<OpenedSocket> {
  if (signal.aborted) return Promise.resolve({ ok: false, why: 'aborted' })
  return new Promise((resolve, reject) => {
    const socket = dial(endpoint)
    const settled = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.off('error', failed)
    }
    const give = (why: Unreachable | 'aborted') => {
      settled()
      socket.on('error', () => socket.destroy())
      socket.destroy()
      resolve({ ok: false, why })
    }
    const abort = () => give('aborted')
    const failed = (error: NodeJS.ErrnoException) => {
      const why = unreachableBy[error.code ?? ''] ?? (endpoint.tls ? 'no_tls' : null)
      if (why) return give(why)
      settled()
      reject(error)
    }
    const timer = setTimeout(() => give('timeout'), timeoutMs)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', failed)
    socket.once(endpoint.tls ? 'secureConnect' : 'connect', () => {
      settled()
      resolve({ ok: true, socket })
    })
  })
}

/** Opens a socket and a `Line` on it. */
export async function openLine(
  endpoint: Endpoint,
  options: LineOptions,
): Promise<{ readonly ok: true; readonly line: Line } | { readonly ok: false; readonly why: Unreachable | 'aborted' }> {
  const opened = await openSocket(endpoint, options)
  return opened.ok ? { ok: true, line: lineOver(opened.socket, options) } : opened
}

function dial({ address, porta, tls }: Endpoint): Socket {
  if (!tls) return connect({ host: address, port: porta })
  // Recorders sign their own certificates, so no authority can verify them. Without verification TLS still protects the
  // password from passive listeners.
  return connectTls({ host: address, port: porta, rejectUnauthorized: false })
}

function lineOver(socket: Socket, { timeoutMs, signal }: LineOptions): Line {
  const destroy = () => socket.destroy()
  signal.addEventListener('abort', destroy, { once: true })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  // A reset; 'close' follows.
  socket.on('error', () => socket.destroy())
  // Bytes between two requests belong to neither and are dropped; reading on detects the end of the connection.
  socket.resume()
  const isOpen = () => !socket.destroyed && !socket.readableEnded
  return {
    get isOpen() {
      return isOpen()
    },
    async close() {
      if (!socket.closed) {
        socket.end()
        const timer = setTimeout(destroy, FAREWELL_MS)
        await closed
        clearTimeout(timer)
      }
      signal.removeEventListener('abort', destroy)
    },
    exchange(request, cseq) {
      if (signal.aborted) return Promise.resolve({ kind: 'aborted' })
      if (!isOpen()) return Promise.resolve({ kind: 'cut', isRtsp: false })
      const reader = createReplyReader(cseq)
      return new Promise((resolve) => {
        const settle = (exchange: Exchange) => {
          clearTimeout(timer)
          socket.off('data', onData)
          socket.off('end', onEnd)
          socket.off('close', onEnd)
          // After an invalid reply the connection closes without waiting for the server.
          if (exchange.kind === 'not_rtsp' || exchange.kind === 'overlong') socket.destroy()
          resolve(exchange)
        }
        const onData = (chunk: Buffer) => {
          const reading = reader.push(chunk)
          if (reading.kind === 'incomplete') return
          settle(reading.kind === 'overlong' ? { kind: 'overlong', isRtsp: reader.isRtsp } : reading)
        }
        const stop = (kind: 'silent' | 'cut') => {
          if (signal.aborted) return settle({ kind: 'aborted' })
          const reading = reader.end()
          settle(reading.kind === 'reply' ? reading : { kind, isRtsp: reader.isRtsp })
        }
        const onEnd = () => stop('cut')
        const timer = setTimeout(() => stop('silent'), timeoutMs)
        socket.on('data', onData)
        socket.once('end', onEnd)
        socket.once('close', onEnd)
        socket.write(request)
      })
    },
  }
}
