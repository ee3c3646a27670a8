import type { CorpoWebhook } from '@vigia/contracts/notificacoes'

/** What a destination is told: the same for every kind of channel, and each sender gives it its own form. */
export interface Mensagem extends Omit<CorpoWebhook, 'enviado_em' | 'empresa'> {
  /** Epoch ms at which the notification was made; a later try of it keeps this. */
  readonly enviadoEm: number
  readonly empresa: {
    readonly id: number
    readonly nome: string
    /** IANA name: persons read the time of the event in it. */
    readonly fusoHorario: string
  }
}

/** Outcome of one delivery. `erro` is a Portuguese sentence that holds neither credentials nor the destination. */
export type Entrega = { readonly ok: true } | { readonly ok: false; readonly erro: string }

/** Delivers to one destination, within its own time limit, or until `signal` aborts. Throws only for a fault of ours. */
export interface Sender<Destino> {
  send(destino: Destino, mensagem: Mensagem, signal: AbortSignal): Promise<Entrega>
}

export interface DestinoWebhook {
  readonly url: string
  /** `whsec_…`, with which the body is signed. */
  readonly segredo: string
}

export interface Senders {
  readonly webhook: Sender<DestinoWebhook>
  /** E-mail address. */
  readonly email: Sender<string>
  /** E.164 number. */
  readonly whatsapp: Sender<string>
}

/** Milliseconds that one delivery may take, from the look-up of the name to the answer. */
export const DELIVERY_MS = 10_000

export const failed = (erro: string): Entrega => ({ ok: false, erro })
