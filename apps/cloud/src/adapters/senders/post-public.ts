import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { AllowedCidrs, Lookup } from '@vigia/rtsp/address-policy'
import { connectionFailure, errorCode, gaveUp } from './connection-failure.ts'
import { DELIVERY_MS } from './interface.ts'
import { resolvePublic } from './public-address.ts'

export interface PublicPostDeps {
  /** Permitted networks that are not public (VIGIA_WEBHOOK_PERMITIR). */
  readonly allowed: AllowedCidrs
  readonly timeoutMs?: number
  /** Default: the resolver of the system. */
  readonly lookup?: Lookup
}

interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** Discarded bytes of an answer before the connection is closed; larger than normal answers. */
const MAX_ANSWER_BYTES = 64 * 1024

/**
 * Posts to an address that a person or a browser gave: only to public addresses, and without following redirects. The
 * body of the answer is ignored.
 * @returns the HTTP status, or a Portuguese sentence without the address
 */
export async function postPublic(
  { allowed, timeoutMs = DELIVERY_MS, lookup }: PublicPostDeps,
  { url, headers, body }: Post,
  signal: AbortSignal,
): Promise<{ readonly status: number } | { readonly erro: string }> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const resolved = await beforeAbort(resolvePublic(url.hostname, allowed, lookup), deadline)
    if (!resolved.ok) return { erro: refusals[resolved.falha] }
    return { status: await post(url, resolved.addresses, headers, body, deadline) }
  } catch (error) {
    if (deadline.aborted) return { erro: gaveUp(signal, timeoutMs) }
    const code = errorCode(error)
    if (code === null) throw error
    return { erro: connectionFailure(code) }
  }
}

const refusals = {
  endereco_recusado:
    'O endereço fica numa rede interna ou reservada, para a qual o Vigia não envia. Use um endereço público.',
  nome_nao_resolvido: 'Não foi possível entregar: o nome do servidor não existe ou o DNS não respondeu.',
} as const

/** Returns the status of the answer. Connects only to `addresses`, with the host name of the URL in Host and TLS. */
async function post(
  url: URL,
  addresses: readonly string[],
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
  signal: AbortSignal,
): Promise<number> {
  const resolved = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const lookup: LookupFunction = (_name, options, done) => {
    if (options.all) done(null, resolved)
    else done(null, resolved[0]?.address ?? '', resolved[0]?.family)
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  // A new connection: a pooled one could still use an earlier address of the name.
  const options = { method: 'POST', headers, lookup, agent: false, signal, rejectUnauthorized: true }
  const response = await answerOf(request(url, options).end(body))
  const status = response.statusCode ?? 0
  await discard(response)
  return status
}

const answerOf = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve)
    // `on` instead of `once`, because the signal may destroy the request while the answer is read.
    request.on('error', reject)
    // Some answers (101) end a request without `response` and `error`.
    request.once('close', () => reject(Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' })))
  })

/** Discards the body of the answer, up to a limit. Its result is irrelevant, because the status decides. */
async function discard(response: IncomingMessage): Promise<void> {
  let bytes = 0
  await new Promise<void>((resolve) => {
    response.once('close', resolve)
    response.on('error', () => response.destroy())
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) response.destroy()
    })
  })
}

/**
 * Result of `task`, or a rejection when `signal` aborts first. The task itself continues, because name resolution
 * cannot be aborted.
 */
function beforeAbort<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([task, aborted])
}
