import type { Caixa, Decisao } from '@vigia/contracts/eventos'
import type { NomeIa } from '@vigia/contracts/ias'

/** Everything a verifier may look at. */
export interface CandidatoVerificacao {
  /** JPEG of the best moment, cut to the object. */
  readonly crop: Buffer
  /** JPEG of the whole frame; null when only the crop came. */
  readonly quadro: Buffer | null
  readonly caixas: readonly Caixa[]
  readonly ia: NomeIa
  /** What only some IAs say of the event (`DetalhesIa` of the contracts), and what this cloud noted on it. */
  readonly detalhes: Readonly<Record<string, unknown>>
  /** Thresholds in force when it fired. */
  readonly calibracao: Readonly<Record<string, number | boolean>>
  /** Free-text instructions of the camera, for verifiers that read. */
  readonly instrucoes: readonly string[]
}

/** Why there is no verdict (yet): the picture, this verifier's abilities, or the verifier itself. */
export type FalhaVerificacao = 'imagem_ilegivel' | 'sem_suporte' | 'indisponivel'

export type ResultadoVerificacao =
  | {
      readonly ok: true
      readonly decisao: Decisao
      /** 0–1. */
      readonly confianca: number
      /** Portuguese sentence. */
      readonly motivo: string
      /** The verifier and its model. */
      readonly fonte: string
    }
  /** `detalhe` is for the log. */
  | { readonly ok: false; readonly falha: FalhaVerificacao; readonly detalhe: string }

export interface Verifier {
  /** How many candidates it takes at once: one for a model on this machine, several for a service that is waited for. */
  readonly atOnce: number
  /** Never rejects: what goes wrong is a result. */
  verify(candidato: CandidatoVerificacao): Promise<ResultadoVerificacao>
  /** Ends what the verifier runs; a verification under way comes back `indisponivel`. */
  stop(): Promise<void>
}
