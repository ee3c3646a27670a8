import { request } from 'node:http'
import { type Unreachable, unreachableBy } from './line.ts'

export type Exchanged =
  | {
      readonly kind: 'reply'
      readonly status: number
      /** Values of WWW-Authenticate. */
      readonly challenges: readonly string[]
      readonly body: string
    }
  /** No connection. `why` is absent without a free one. */
  | { readonly kind: 'unreachable'; readonly why?: Unreachable | undefined }
  /** silent: no complete answer in time, or closed early. foreign: no HTTP, or a body above the limit. */
  | { readonly kind: 'silent' | 'foreign' | 'aborted' }

export interface ExchangeOptions {
  /** Default POST. */
  readonly method?: 'GET' | 'POST'
  /** IP address of the only connection, regardless of the answer. */
  readonly address: string
  readonly porta: number
  /** Host name in the request; the connection does not use it. */
  readonly host: string
  /** ASCII without blanks. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Time limit of the whole request. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Largest body, in bytes: the profiles of a recorder with 256 channels need about half of it. */
export const MAX_BODY = 4 * 1024 * 1024

/** Sends one request over its own connection. Redirections are not followed. Never rejects. */
export function exchange(options: ExchangeOptions): Promise<Exchanged> {
  const { method = 'POST', address, porta, host, path, headers, body, timeoutMs, signal } = options
  if (signal.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => {
    // `AbortSignal.timeout` accepts only whole milliseconds.
    const timeout = AbortSignal.timeout(Math.ceil(timeoutMs))
    let isConnected = false
    const asked = request({
      host: address,
      port: porta,
      path,
      method,
      agent: false,
      signal: AbortSignal.any([signal, timeout]),
      headers: {
        ...headers,
        Host: `${host}:${porta}`,
        ...(method === 'POST' && { 'Content-Length': Buffer.byteLength(body) }),
        'User-Agent': 'Vigia',
        Connection: 'close',
      },
    })
    const give = (exchanged: Exchanged) => {
      resolve(exchanged)
      asked.destroy()
    }
    const failed = (error: NodeJS.ErrnoException) => {
      if (signal.aborted) return give({ kind: 'aborted' })
      // Errors of the HTTP parser (HPE_…).
      if (error.code?.startsWith('HPE_')) return give({ kind: 'foreign' })
      if (isConnected) return give({ kind: 'silent' })
      give({ kind: 'unreachable', why: timeout.aborted ? 'timeout' : unreachableBy[error.code ?? ''] })
    }
    asked.on('error', failed)
    // 'close' follows in every case, while some (a switch of protocols) raise no 'error'.
    asked.once('close', () => give({ kind: isConnected ? 'silent' : 'unreachable' }))
    asked.once('socket', (socket) => {
      socket.once('connect', () => {
        isConnected = true
      })
    })
    asked.once('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > MAX_BODY) return give({ kind: 'foreign' })
        chunks.push(chunk)
      })
      response.on('error', failed)
      response.once('end', () => {
        const { statusCode: status = 0, headersDistinct } = response
        const challenges = headersDistinct['www-authenticate'] ?? []
        give({ kind: 'reply', status, challenges, body: Buffer.concat(chunks).toString('utf8') })
      })
    })
    asked.end(body)
  })
}
