import type { Caixa, Decisao } from '@vigia/contracts/eventos'
import type { FalhaVerificacao } from './interface.ts'

/** What crosses the channel between the cloud and its verifier process (structured clone: pictures stay bytes). */
export interface Pedido {
  readonly id: number
  readonly crop: Uint8Array
  readonly quadro: Uint8Array | null
  readonly caixas: readonly Caixa[]
  readonly rotulos: readonly string[]
  readonly conf: number
}

export type Resposta =
  | { readonly tipo: 'pronto'; readonly modelo: string }
  | {
      readonly tipo: 'veredito'
      readonly id: number
      readonly decisao: Decisao
      readonly confianca: number
      readonly motivo: string
    }
  /** The model did not come to an end with this picture; the process goes on. */
  | { readonly tipo: 'falha'; readonly id: number; readonly falha: FalhaVerificacao; readonly detalhe: string }
