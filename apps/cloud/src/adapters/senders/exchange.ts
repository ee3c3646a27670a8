import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { retryAfterMs } from './retry-after.ts'

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** null: a GET. */
  readonly body: string | Buffer | null
}

interface Exchanged {
  readonly status: number
  /** First bytes of the answer as text. */
  readonly text: string
  /** Pause that the answer asks for; undefined: none. */
  readonly waitMs: number | undefined
}

/** Bytes of an answer that are read before the connection is closed; larger than normal answers. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Sends over a connection of its own, without following redirects. @throws Error with a network code */
export async function exchange(
  { url, headers, body }: Post,
  signal: AbortSignal,
  lookup?: LookupFunction,
): Promise<Exchanged> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  // A new connection: a pooled one could still use an earlier address of the name.
  const method = body === null ? 'GET' : 'POST'
  const options = { method, headers, agent: false, signal, rejectUnauthorized: true, ...(lookup && { lookup }) }
  const response = await answerOf(request(url, options).end(body ?? undefined))
  const { statusCode: status = 0, headers: answered } = response
  return { status, waitMs: retryAfterMs(answered), text: await textOf(response) }
}

const answerOf = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve)
    // `on` instead of `once`, because the signal may destroy the request while the answer is read.
    request.on('error', reject)
    // Some answers (101) end a request without `response` and `error`.
    request.once('close', () => reject(Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' })))
  })

/** Reads the body up to a limit. A broken end keeps what came before, because the status decides. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  await new Promise<void>((resolve) => {
    response.once('close', resolve)
    response.on('error', () => response.destroy())
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > MAX_ANSWER_BYTES) response.destroy()
    })
  })
  return Buffer.concat(chunks).toString('utf8', 0, MAX_ANSWER_BYTES)
}
