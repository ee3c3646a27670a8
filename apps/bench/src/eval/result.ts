import type { NomeIa, ProblemaImagem } from '@vigia/contracts/ias'
import type { PrecisionRecall } from './average-precision.ts'
import type { ProductClass } from './class-names.ts'
import type { EventScore } from './event-score.ts'
import type { Stretch } from './furg-labels.ts'
import type { WatchedVideo } from './watch-video.ts'

/** How one video came out. */
export interface VideoResult extends WatchedVideo {
  readonly video: string
  /** When nothing happens in it (`no_motion`). */
  readonly quiet: readonly Stretch[]
  readonly scores: readonly EventScore[]
}

/** One IA over all footage whose labels speak of it. */
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
  /** Fired on the edge and refuted by the verifier. */
  readonly refutados: number
  /** Footage in which an event that nobody expects is false. */
  readonly horas: number
  readonly falsos_por_hora: number | null
  /** From the beginning of the label to the event. */
  readonly deteccao_s: { readonly mediana: number; readonly pior: number } | null
  /** Why something here is not known; null: it is. */
  readonly nao_medido: string | null
}

/** One class of a detector on one set of pictures: the boxes that the pipeline's looks found, whole picture and enlarged parts. */
export interface DetectorResult extends ProductClass, PrecisionRecall {
  readonly conjunto: string
  readonly imagens: number
  readonly rotulos: number
  readonly ap50: number | null
  readonly ap50_95: number | null
  /** The threshold of precision and recall: the IA's default. */
  readonly conf: number
}

/** What the product makes of pictures that stand still, at the default thresholds. */
export interface PictureResult {
  readonly conjunto: string
  readonly ia: NomeIa
  /** epi: what is missing. */
  readonly item: 'capacete' | 'colete' | null
  readonly imagens: number
  readonly positivas: number
  /** Pictures with and without the label in which the detector saw it in at least one look, and those with it in which it did not. */
  readonly vistas: number
  readonly vistas_sem: readonly string[]
  readonly nao_vistas: readonly string[]
  /** Pictures with the label that raised an event. */
  readonly encontradas: number
  /** Raised on the edge and refuted by the verifier, right or wrong. */
  readonly refutadas: number
  /** Pictures without the label that raised an event. */
  readonly falsas: readonly string[]
  /** Pictures in which nothing is labelled that the IA's model knows, and those of them that raised. */
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
  /** CPU seconds for a second of footage, one camera in which something moves, every due frame analysed. */
  readonly cpu_por_segundo: number | null
  /** Memory of the process with one camera, models included, MB: the largest seen. */
  readonly memoria_mb: number | null
  readonly video_s: number
  readonly imagens: number
  /** Real time of the whole run, s, and processes side by side. */
  readonly duracao_s: number
  readonly processos: number
}

export interface StressResult {
  readonly transformacao: string
  readonly forca: string
  readonly codec: string | null
  readonly ias: readonly IaResult[]
}

/** The camera is obstructed from a moment on, in a clip made for it. */
export interface ObstructionResult {
  readonly problema: ProblemaImagem
  readonly forca: string
  /** From the obstruction to the event, s; null: missed. */
  readonly depois_s: number | null
  /** What the event says is the matter. */
  readonly dito: ProblemaImagem | null
  /** Events before: false. */
  readonly antes: number
}

export interface BoundResult {
  readonly nome: string
  readonly limite: string
  readonly valor: string
  readonly ok: boolean
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
  readonly imagens: readonly PictureResult[]
  readonly custo: Cost
  readonly estresse: readonly StressResult[]
  readonly obstrucoes: readonly ObstructionResult[]
  readonly videos: readonly VideoResult[]
}
