import type { Caixa, Certeza, Decisao, FonteEvidencia } from '@vigia/contracts/eventos'
import type { NomeIa } from '@vigia/contracts/ias'

/** Input of a verifier. */
export interface CandidatoVerificacao {
  /** JPEG of the best frame, cropped to the object. */
  readonly crop: Buffer
  /** JPEG of the whole frame; null: only the crop exists. */
  readonly quadro: Buffer | null
  readonly caixas: readonly Caixa[]
  /** Stream of the pictures; absent: `sub`. */
  readonly fonte?: FonteEvidencia
  /** Whether a refutation also needs other pictures that agree; absent: false. */
  readonly conjunta?: boolean
  readonly ia: NomeIa
  /** Details of single IAs (`DetalhesIa` of the contracts), and notes of this cloud. */
  readonly detalhes: Readonly<Record<string, unknown>>
  /** Thresholds in force at the event. */
  readonly calibracao: Readonly<Record<string, number | boolean>>
  /** Empresa whose consent and budget an external verifier needs; absent: no external verifier is asked. */
  readonly empresaId?: number
  /** Empresa of the camera, which alone pauses when its candidates hang; absent: nobody pauses. */
  readonly origemId?: number
  /** Bias of reviews in logits, for the score between `alta` and `baixa`, never for a refutation; absent: 0. */
  readonly ajuste?: number
  /** Free-text instructions of the camera, for verifiers with a language model. */
  readonly instrucoes: readonly string[]
}

/** Reason of a missing verdict: unreadable picture, unsupported IA, or unavailable verifier. */
export type FalhaVerificacao = 'imagem_ilegivel' | 'sem_suporte' | 'indisponivel'

export type ResultadoVerificacao =
  | {
      readonly ok: true
      readonly decisao: Decisao
      /** `baixa`: the verifier could not decide; its decision is then `confirmado`. */
      readonly certeza: Certeza
      /** Calibrated probability that the decision is right, 0–1. */
      readonly confianca: number
      /** Part of `ajuste` that `confianca` contains; absent: the verdict has no score. */
      readonly ajuste?: number
      /** Portuguese sentence. */
      readonly motivo: string
      /** The verifier and its model. */
      readonly fonte: string
    }
  /** `detalhe`: for the log. */
  | { readonly ok: false; readonly falha: FalhaVerificacao; readonly detalhe: string }

export interface Verifier {
  /** Concurrent candidates: one for a model on this machine, several for a remote service. */
  readonly atOnce: number
  /** Never rejects: a failure is a result. */
  verify(candidato: CandidatoVerificacao): Promise<ResultadoVerificacao>
  /** Stops the verifier; a running verification returns `indisponivel`. */
  stop(): Promise<void>
}
