import { Webhook } from 'standardwebhooks'
import type { Clock } from '../clock.ts'
import type { Attachments } from './attachments.ts'
import { type Entrega, failed, refused, type Sender } from './interface.ts'
import { messageBody } from './message-body.ts'
import { type PublicPostDeps, sendPublic } from './post-public.ts'

interface WebhookSenderDeps extends PublicPostDeps {
  readonly clock: Clock
  readonly attachments: Attachments
}

/**
 * Posts the notification as JSON, signed as in Standard Webhooks 1.0. Redirects are not followed, because no user
 * entered their target. 2xx is success; the body of the answer is ignored.
 */
export function createWebhookSender(deps: WebhookSenderDeps): Sender {
  return {
    async send({ endereco, segredo, redes }, mensagem, signal) {
      if (segredo === null) throw new Error('a webhook needs a signing secret')
      const body = deps.attachments.json(await messageBody(mensagem, deps.attachments))
      const headers = signedHeaders(segredo, mensagem.id, deps.clock.now(), body)
      const answer = await sendPublic(
        { ...deps, allowed: [...deps.allowed, ...redes] },
        { url: new URL(endereco), headers, body },
        signal,
      )
      if (!('erro' in answer)) return outcome(answer)
      return answer.recusado ? refused(answer.erro) : failed(answer.erro)
    },
  }
}

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

function outcome({ status, waitMs }: { readonly status: number; readonly waitMs: number | undefined }): Entrega {
  if (status >= 200 && status < 300) return { ok: true }
  return isOfService(status) ? failed(refusalOf(status), waitMs) : refused(refusalOf(status), waitMs)
}

/** Each canal has its own secret: a receiver that denies access (401, 403) says nothing about other canais. */
const isOfService = (status: number): boolean => status >= 500 || [404, 408, 410, 429].includes(status)

function refusalOf(status: number): string {
  if (status >= 300 && status < 400)
    return `O servidor respondeu com um redirecionamento (${status}), que não é seguido: use o endereço final.`
  if (status === 401 || status === 403) return `O servidor negou o acesso (${status}).`
  if (status === 404 || status === 410) return `O endereço não existe no servidor (${status}).`
  if (status === 429) return `O servidor pediu menos envios (${status}).`
  return `O servidor respondeu com erro (${status}).`
}
