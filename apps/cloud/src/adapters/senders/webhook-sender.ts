import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { CorpoWebhook } from '@vigia/contracts/notificacoes'
import type { AllowedCidrs, Lookup } from '@vigia/rtsp/address-policy'
import { Webhook } from 'standardwebhooks'
import type { Clock } from '../clock.ts'
import { connectionFailure, errorCode, gaveUp } from './connection-failure.ts'
import { DELIVERY_MS, type DestinoWebhook, type Entrega, failed, type Mensagem, type Sender } from './interface.ts'
import { resolvePublic } from './public-address.ts'

interface WebhookSenderDeps {
  readonly clock: Clock
  /** Permitted networks that are not public (VIGIA_WEBHOOK_PERMITIR). */
  readonly allowed: AllowedCidrs
  readonly timeoutMs?: number
  /** Default: the resolver of the system. */
  readonly lookup?: Lookup
}

/** Discarded bytes of an answer before the connection is closed; larger than normal answers. */
const MAX_ANSWER_BYTES = 64 * 1024

/**
 * Posts the notification as JSON, signed as in Standard Webhooks 1.0. Redirects are not followed, because no user
 * entered their target. 2xx is success; the body of the answer is ignored.
 */
export function createWebhookSender(deps: WebhookSenderDeps): Sender<DestinoWebhook> {
  const { clock, allowed, timeoutMs = DELIVERY_MS, lookup } = deps
  return {
    async send(destino, mensagem, signal) {
      const url = new URL(destino.url)
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      try {
        const resolved = await beforeAbort(resolvePublic(url.hostname, allowed, lookup), deadline)
        if (!resolved.ok) return failed(refusals[resolved.falha])
        const body = JSON.stringify(corpo(mensagem))
        const headers = signedHeaders(destino.segredo, mensagem.id, clock.now(), body)
        return outcome(await post(url, resolved.addresses, headers, body, deadline))
      } catch (error) {
        if (deadline.aborted) return failed(gaveUp(signal, timeoutMs))
        const code = errorCode(error)
        if (code === null) throw error
        return failed(connectionFailure(code))
      }
    },
  }
}

const refusals = {
  endereco_recusado:
    'O endereço fica numa rede interna ou reservada, para a qual o Vigia não envia. Use um endereço público.',
  nome_nao_resolvido: 'Não foi possível entregar: o nome do servidor não existe ou o DNS não respondeu.',
} as const

const corpo = ({ enviadoEm, empresa, ...rest }: Mensagem): CorpoWebhook => ({
  ...rest,
  enviado_em: new Date(enviadoEm).toISOString(),
  empresa: { id: empresa.id, nome: empresa.nome },
})

/** @param now time of this attempt, because a receiver rejects an old timestamp as a replay */
function signedHeaders(segredo: string, id: string, now: number, body: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Vigia',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': new Webhook(segredo).sign(id, new Date(now), body),
  }
}

/** Returns the status of the answer. Connects only to `addresses`, with the host name of the URL in Host and TLS. */
async function post(
  url: URL,
  addresses: readonly string[],
  headers: Record<string, string>,
  body: string,
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

function outcome(status: number): Entrega {
  if (status >= 200 && status < 300) return { ok: true }
  if (status >= 300 && status < 400)
    return failed(`O servidor respondeu com um redirecionamento (${status}), que não é seguido: use o endereço final.`)
  if (status === 401 || status === 403) return failed(`O servidor negou o acesso (${status}).`)
  if (status === 404 || status === 410) return failed(`O endereço não existe no servidor (${status}).`)
  if (status === 429) return failed(`O servidor pediu menos envios (${status}).`)
  return failed(`O servidor respondeu com erro (${status}).`)
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
