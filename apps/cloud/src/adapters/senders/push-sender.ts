import type { AvisoPush } from '@vigia/contracts/push'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import webPush from 'web-push'
import { type PublicPostDeps, sendPublic } from './post-public.ts'

/** A browser's subscription, as `PushSubscription` gives it. */
export interface DestinoPush {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Key pair that identifies this installation to push services (RFC 8292). Base64url. */
export interface ChaveVapid {
  readonly publica: string
  readonly privada: string
}

interface EnvioPush {
  readonly destino: DestinoPush
  readonly chave: ChaveVapid
  /** Address of the dashboard that subscribed, which push services accept as contact. */
  readonly contato: string
  /** Networks that are not public and that the Empresa of the login may reach. */
  readonly redes: AllowedCidrs
  readonly aviso: AvisoPush
}

/**
 * `encerrada`: the browser has ended the subscription, and no later message can arrive. `waitMs`: pause that the push
 * service asked for.
 */
type ResultadoPush =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly erro: string
      readonly encerrada: boolean
      readonly waitMs?: number | undefined
    }

export type PushSender = (envio: EnvioPush, signal: AbortSignal) => Promise<ResultadoPush>

/** Time that a push service keeps a message for a device without a network. A later alert is no help to a guard. */
const PUSH_TTL_S = 3_600

/**
 * Sends encrypted messages (RFC 8291) to the push services of browsers. The service sees neither text nor picture. A
 * `Topic` lets a newer message of the same incidente replace one that waits there.
 */
export function createPushSender(deps: PublicPostDeps): PushSender {
  return async ({ destino: { endpoint, p256dh, auth }, chave, contato, redes, aviso }, signal) => {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(aviso),
      {
        vapidDetails: { subject: contato, publicKey: chave.publica, privateKey: chave.privada },
        TTL: PUSH_TTL_S,
        contentEncoding: 'aes128gcm',
        urgency: aviso.gravidade === 'critica' || aviso.gravidade === 'alta' ? 'high' : 'normal',
        topic: aviso.etiqueta,
      },
    )
    const answer = await sendPublic(
      { ...deps, allowed: [...deps.allowed, ...redes] },
      { url: new URL(endpoint), headers: texts(headers), body: body ?? '' },
      signal,
    )
    if ('erro' in answer) return { ok: false, erro: answer.erro, encerrada: false }
    const resultado = outcome(answer.status)
    return resultado.ok ? resultado : { ...resultado, waitMs: answer.waitMs }
  }
}

const texts = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

function outcome(status: number): ResultadoPush {
  if (status >= 200 && status < 300) return { ok: true }
  const refused = (erro: string, encerrada = false): ResultadoPush => ({ ok: false, erro, encerrada })
  if (status === 404 || status === 410)
    return refused('O navegador encerrou a inscrição. Ligue os avisos outra vez nesse aparelho.', true)
  if (status === 400 || status === 401 || status === 403)
    return refused(`O serviço de avisos recusou a inscrição (${status}). Ligue os avisos outra vez nesse aparelho.`)
  if (status === 429) return refused('O serviço de avisos pediu menos envios (429).')
  return refused(`O serviço de avisos respondeu com erro (${status}).`)
}
