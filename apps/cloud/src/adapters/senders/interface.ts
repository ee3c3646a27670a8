import type { CorpoWebhook } from '@vigia/contracts/notificacoes'

interface Envio {
  /** Epoch ms at which the notification was made; a later try of it keeps this. */
  readonly enviadoEm: number
  readonly empresa: {
    readonly id: number
    readonly nome: string
    /** IANA name: persons read the times in it. */
    readonly fusoHorario: string
  }
}

type Told<Corpo> = Corpo extends unknown ? Omit<Corpo, 'enviado_em' | 'empresa'> & Envio : never

/** What a destination is told: the same for every kind of channel, and each sender gives it its own form. */
export type Mensagem = Told<CorpoWebhook>
export type MensagemEvento = Extract<Mensagem, { readonly evento: unknown }>
export type MensagemQueda = Extract<Mensagem, { readonly queda: unknown }>

/** A notification as a person reads it. */
export interface Texto {
  readonly titulo: string
  readonly abertura: string
  /** Label and value. */
  readonly dados: readonly (readonly [string, string])[]
  /** The same in four pieces, for forms that have no room for more: Empresa, where, what, when. */
  readonly modelo: readonly [string, string, string, string]
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
