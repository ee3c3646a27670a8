import { request } from 'node:http'

export type Posted =
  | {
      readonly kind: 'reply'
      readonly status: number
      /** Values of WWW-Authenticate. */
      readonly challenges: readonly string[]
      readonly body: string
    }
  /** No connection; nothing (more) within the time, or hung up on; no HTTP, or more than will be read. */
  | { readonly kind: 'unreachable' | 'silent' | 'foreign' | 'aborted' }

export interface PostOptions {
  /** IP address: the only one that is connected to, wherever the answer points. */
  readonly address: string
  readonly porta: number
  /** Stands in the request alone. */
  readonly host: string
  /** In ASCII, without blanks. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** For all of it, ms. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Bytes of a body: the profiles of a recorder with 256 channels are about half of that. */
const MAX_BODY = 4 * 1024 * 1024

/** One POST over a connection of its own. Redirections are not followed. Never rejects. */
export function post(options: PostOptions): Promise<Posted> {
  const { address, porta, host, path, headers, body, timeoutMs, signal } = options
  if (signal.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => {
    // Takes whole milliseconds alone.
    const timeout = AbortSignal.timeout(Math.ceil(timeoutMs))
    let isConnected = false
    const asked = request({
      host: address,
      port: porta,
      path,
      method: 'POST',
      agent: false,
      signal: AbortSignal.any([signal, timeout]),
      headers: {
        ...headers,
        Host: `${host}:${porta}`,
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': 'Vigia',
        Connection: 'close',
      },
    })
    const give = (posted: Posted) => {
      resolve(posted)
      asked.destroy()
    }
    const failed = (error: NodeJS.ErrnoException) => {
      if (signal.aborted) return give({ kind: 'aborted' })
      // What the parser of HTTP does not take (HPE_…).
      if (error.code?.startsWith('HPE_')) return give({ kind: 'foreign' })
      give({ kind: isConnected ? 'silent' : 'unreachable' })
    }
    asked.on('error', failed)
    // However it ends; a switch of protocols, for one, is no error.
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
