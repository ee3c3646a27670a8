import type { CorpoWebhook } from '@vigia/contracts/notificacoes'

interface Envio {
  /** Creation time of the notification in epoch ms; unchanged in retries. */
  readonly enviadoEm: number
  readonly empresa: {
    readonly id: number
    readonly nome: string
    /** IANA time zone for displayed times. */
    readonly fusoHorario: string
  }
}

type WithEnvio<Corpo> = Corpo extends unknown ? Omit<Corpo, 'enviado_em' | 'empresa'> & Envio : never

/** Content of a notification, independent of the kind of canal. Each sender formats it. */
export type Mensagem = WithEnvio<CorpoWebhook>
export type MensagemEvento = Extract<Mensagem, { readonly evento: unknown }>
export type MensagemIncidente = Extract<Mensagem, { readonly tipo: 'incidente' }>
export type MensagemResumo = Extract<Mensagem, { readonly tipo: 'resumo' }>
export type MensagemQueda = Extract<Mensagem, { readonly queda: unknown }>

/** A notification as text. */
export interface Texto {
  readonly titulo: string
  readonly abertura: string
  /** Label and value. */
  readonly dados: readonly (readonly [string, string])[]
  /** The same in four parts for short templates: Empresa, camera or edge, kind, time. */
  readonly modelo: readonly [string, string, string, string]
}

/** Result of one delivery. `erro` is a Portuguese sentence without credentials and destination. */
export type Entrega = { readonly ok: true } | { readonly ok: false; readonly erro: string }

/** Delivers to one destination within its time limit, or until `signal` aborts. Throws only for internal errors. */
export interface Sender<Destino> {
  send(destino: Destino, mensagem: Mensagem, signal: AbortSignal): Promise<Entrega>
}

export interface DestinoWebhook {
  readonly url: string
  /** `whsec_…`, signs the body. */
  readonly segredo: string
}

export interface Senders {
  readonly webhook: Sender<DestinoWebhook>
  /** E-mail address. */
  readonly email: Sender<string>
  /** E.164 number. */
  readonly whatsapp: Sender<string>
}

/** Time limit of one delivery, from name resolution to the answer. */
export const DELIVERY_MS = 10_000

export const failed = (erro: string): Entrega => ({ ok: false, erro })
