import type { NomeIa, ProblemaImagem } from '@vigia/contracts/ias'
import type { AnalysedVideo } from './analyse-video.ts'
import type { PrecisionRecall } from './average-precision.ts'
import type { BoundResult } from './bound-result.ts'
import type { CalibrationRow } from './calibration-curve.ts'
import type { ProductClass } from './class-names.ts'
import type { EventScore } from './event-score.ts'
import type { Stretch } from './furg-labels.ts'
import type { PersonResult } from './ppe/person-result.ts'
import type { StratumResult } from './strata.ts'

/** Result of one video. */
export interface VideoResult extends AnalysedVideo {
  readonly video: string
  /** Stretches without events (`no_motion`). */
  readonly quiet: readonly Stretch[]
  readonly scores: readonly EventScore[]
}

/** One IA over all footage with labels for it. */
export interface IaResult {
  readonly ia: NomeIa
  readonly titulo: string
  readonly videos: readonly string[]
  readonly rotulos: number
  readonly encontrados: number
  readonly revocacao: number | null
  readonly precisao: number | null
  readonly falsos: number
  readonly repetidos: number
  /** Raised on the edge and refuted by the verifier. */
  readonly refutados: number
  /** Length of the footage in which an unexpected event is false. */
  readonly horas: number
  readonly falsos_por_hora: number | null
  /** From the start of the label to the event. */
  readonly deteccao_s: { readonly mediana: number; readonly pior: number } | null
  /** Reason for missing values; null: complete. */
  readonly nao_medido: string | null
}

/**
 * One class of a detector on one set of pictures, from the boxes of all inferences (whole picture and enlarged
 * regions).
 */
export interface DetectorResult extends ProductClass, PrecisionRecall {
  readonly conjunto: string
  readonly imagens: number
  readonly rotulos: number
  readonly ap50: number | null
  /** 95 % interval of `ap50`, from resampled pictures. */
  readonly ap50_intervalo: { readonly de: number; readonly ate: number } | null
  readonly ap50_95: number | null
  /** Threshold of precision and recall: the default of the IA. */
  readonly conf: number
}

/** Result of still pictures at the default thresholds. */
export interface PictureResult {
  readonly conjunto: string
  readonly ia: NomeIa
  /** The missing item that the row is about; null: the whole event. */
  readonly item: string | null
  readonly imagens: number
  readonly positivas: number
  /**
   * Pictures with and without the label that the detector detected in at least one inference, and labelled pictures
   * that it missed.
   */
  readonly vistas: number
  readonly vistas_sem: readonly string[]
  readonly nao_vistas: readonly string[]
  /** Pictures with the label that raised an event. */
  readonly encontradas: number
  /** Raised on the edge and refuted by the verifier, right or wrong. */
  readonly refutadas: number
  /** Pictures without the label that raised an event. */
  readonly falsas: readonly string[]
  /** Pictures without any label of the IA's model, and those of them that raised an event. */
  readonly vazias: number
  readonly falsas_vazias: readonly string[]
}

export interface ModelResult {
  readonly tarefa: string
  readonly id: string | null
  readonly sha256: string | null
  readonly motivo: string | null
}

export interface Cost {
  /** CPU seconds per second of footage, for one camera with motion and every due frame analysed. */
  readonly cpu_por_segundo: number | null
  /** Memory of the process with one camera and the models, in MB; the maximum. */
  readonly memoria_mb: number | null
  readonly video_s: number
  readonly imagens: number
  /** Duration of the whole run in seconds, and number of parallel processes. */
  readonly duracao_s: number
  readonly processos: number
}

export interface StressResult {
  readonly transformacao: string
  readonly forca: string
  readonly codec: string | null
  readonly ias: readonly IaResult[]
}

/** An obstruction that starts within a generated clip. */
export interface ObstructionResult {
  readonly problema: ProblemaImagem
  readonly forca: string
  /** From the obstruction to the event, in s; null: missed. */
  readonly depois_s: number | null
  /** The problem named by the event. */
  readonly dito: ProblemaImagem | null
  /** Events before: false. */
  readonly antes: number
}

export interface EvalResult {
  readonly data: string
  readonly dados: string
  readonly maquina: string
  readonly modelos: readonly ModelResult[]
  readonly notas: readonly string[]
  readonly ok: boolean
  readonly limites: readonly BoundResult[]
  readonly ias: readonly IaResult[]
  readonly detectores: readonly DetectorResult[]
  readonly faixas: readonly StratumResult[]
  readonly curvas: readonly CalibrationRow[]
  readonly imagens: readonly PictureResult[]
  /** Labelled people with the statements about what they wear. */
  readonly pessoas: readonly PersonResult[]
  readonly custo: Cost
  readonly estresse: readonly StressResult[]
  readonly obstrucoes: readonly ObstructionResult[]
  readonly videos: readonly VideoResult[]
}
