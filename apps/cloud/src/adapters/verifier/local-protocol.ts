import type { Caixa, Certeza, Decisao, FonteEvidencia } from '@vigia/contracts/eventos'
import type { NomeIa } from '@vigia/contracts/ias'
import type { FalhaVerificacao } from './interface.ts'

/** A request to the process of the local verifier (structured clone: pictures stay bytes). */
export interface Pedido {
  readonly crop: Uint8Array
  readonly quadro: Uint8Array | null
  readonly caixas: readonly Caixa[]
  readonly fonte: FonteEvidencia
  readonly conjunta: boolean
  readonly ia: NomeIa
  readonly conf: number
  readonly detalhes: Readonly<Record<string, unknown>>
}

export type Resposta =
  | {
      readonly tipo: 'veredito'
      readonly id: number
      readonly decisao: Decisao
      readonly certeza: Certeza
      readonly confianca: number
      readonly motivo: string
      /** Source of the verdict: a model, or the measurement of the picture. */
      readonly modelo: string
    }
  /** No verdict on this picture; the process continues. */
  | { readonly tipo: 'falha'; readonly id: number; readonly falha: FalhaVerificacao; readonly detalhe: string }
