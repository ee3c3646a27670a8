import type { TipoCanal } from '@vigia/contracts/destinos'
import type { CorpoWebhook } from '@vigia/contracts/notificacoes'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'

interface Envio {
  /** Creation time of the notification in epoch ms; unchanged in retries. */
  readonly enviadoEm: number
  readonly empresa: {
    readonly id: number
    readonly nome: string
    /** IANA time zone for displayed times. */
    readonly fusoHorario: string
  }
  /** The message may not carry the picture of its evento (hide-plates.ts). */
  readonly semImagem?: true
  /** No message of its canal has arrived yet: for people, its text says which setting is missing. */
  readonly primeira?: true
  /** The canal no longer reports its camera: nothing of the message may stay at a destination. */
  readonly semRetencao?: true
}

type WithEnvio<Corpo> = Corpo extends unknown
  ? Omit<Corpo, 'enviado_em' | 'empresa' | 'link' | 'imagem_url'> & Envio
  : never

/** Content of a notification, independent of the kind of canal. Each sender formats it. */
export type Mensagem = WithEnvio<CorpoWebhook>
export type MensagemEvento = Extract<Mensagem, { readonly evento: unknown }>
export type MensagemIncidente = Extract<Mensagem, { readonly tipo: 'incidente' }>
export type MensagemFimIncidente = Extract<Mensagem, { readonly tipo: 'incidente.encerrado' }>
export type MensagemResumo = Extract<Mensagem, { readonly tipo: 'resumo' }>
export type MensagemQueda = Extract<Mensagem, { readonly queda: unknown }>

export type MensagemAviso = Extract<Mensagem, { readonly aviso: unknown }>

/** A notification as text. */
export interface Texto {
  readonly titulo: string
  readonly abertura: string
  /** Label and value. */
  readonly dados: readonly (readonly [string, string])[]
  /** The same in four parts for short templates: Empresa, camera or edge, kind, time. */
  readonly modelo: readonly [string, string, string, string]
}

/**
 * Result of one delivery. `erro` is a Portuguese sentence without credentials and destination. `waitMs`: pause that the
 * service asked for. `de`: the message alone failed; absent: the service, for every Empresa that sends there.
 */
export type Entrega =
  | { readonly ok: true }
  | { readonly ok: false; readonly erro: string; readonly waitMs?: number | undefined; readonly de?: 'mensagem' }

interface Destino {
  /** Its form depends on the kind of canal. */
  readonly endereco: string
  /** Secret of the canal; null: its kind has none. */
  readonly segredo: string | null
  /** Networks that are not public and that the Empresa may reach. */
  readonly redes: AllowedCidrs
}

/** Delivers to one destination within its time limit, or until `signal` aborts. Throws only for internal errors. */
export interface Sender {
  send(destino: Destino, mensagem: Mensagem, signal: AbortSignal): Promise<Entrega>
  /** Portuguese sentences on settings without which messages are incomplete. */
  notes?(): Promise<string[]>
}

/** Sender of messages that stay at their destination. */
export interface RetainingSender extends Sender {
  /** Removes what stays at the destination about these cameras. */
  takeBack(destino: Destino, cameras: readonly number[], signal: AbortSignal): Promise<Entrega>
}

export type Senders = Readonly<Record<TipoCanal, Sender>> & { readonly mqtt: RetainingSender }

/** Time limit of one delivery while a person waits for its result, from name resolution to the answer. */
export const DELIVERY_MS = 10_000
/**
 * The same limit for the queue. A receiver that accepts a message after the limit gets it twice (RFC 1047). Slow
 * receivers need more time than a person waits.
 */
export const QUEUED_DELIVERY_MS = 30_000

export const failed = (erro: string, waitMs?: number): Entrega => ({ ok: false, erro, ...(waitMs && { waitMs }) })

/** The service refused this message, this destination or this canal: it may still take those of other Empresas. */
export const refused = (erro: string, waitMs?: number): Entrega => ({
  ok: false,
  erro,
  de: 'mensagem',
  ...(waitMs && { waitMs }),
})
