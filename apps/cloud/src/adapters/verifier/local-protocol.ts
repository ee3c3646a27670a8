import type { Caixa, Decisao } from '@vigia/contracts/eventos'
import type { NomeIa } from '@vigia/contracts/ias'
import type { FalhaVerificacao } from './interface.ts'

/** What crosses the channel between the cloud and its verifier process (structured clone: pictures stay bytes). */
export interface Pedido {
  readonly id: number
  readonly crop: Uint8Array
  readonly quadro: Uint8Array | null
  readonly caixas: readonly Caixa[]
  readonly ia: NomeIa
  readonly conf: number
  readonly detalhes: Readonly<Record<string, unknown>>
}

export type Resposta =
  | { readonly tipo: 'pronto' }
  | {
      readonly tipo: 'veredito'
      readonly id: number
      readonly decisao: Decisao
      readonly confianca: number
      readonly motivo: string
      /** What judged: a model, or the measuring of the picture. */
      readonly modelo: string
    }
  /** There is no verdict on this picture; the process goes on. */
  | { readonly tipo: 'falha'; readonly id: number; readonly falha: FalhaVerificacao; readonly detalhe: string }
