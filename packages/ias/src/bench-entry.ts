import type { Detalhes } from './catalogue.ts'
import { shareOf } from './share.ts'

/** Types and functions of an IA's `bench.ts`. Only the trial `eval` loads them; no installation contains them. */

/** How the trial `eval` measures one IA: the optional export `bench` of its `bench.ts`. */
export interface IaBench {
  /** Names of events in `events.csv` that are labels of this IA, besides `ia:NOME`. */
  readonly labels?: Readonly<Record<string, LabelScene>>
  /** Values of `detalhes` that an event needs to match a label, from the label's column `detail`. */
  readonly required?: (detail: string) => Partial<Detalhes>
  /** Detail of the labels from the fire stretches of a video; absent: these stretches are no labels of this IA. */
  readonly fireLabel?: string
  /** A second event of one label is false. Absent: it is a repetition, neither right nor false. */
  readonly countsExactly?: true
  /**
   * Unlabelled footage and pictures that contain no event of this IA: everywhere, or outside folders of fires. Absent:
   * unknown.
   */
  readonly absentUnlabelled?: 'everywhere' | 'outside_fires'
  /** The default `conf` of this IA is the threshold of precision and recall for the detector of its task. */
  readonly setsDetectorConf?: true
  /** Events that data sets label in single pictures. */
  readonly pictures?: readonly PictureQuestion[]
  /** If set, only pictures of sets that label a class of the IA's models count. */
  readonly onlyLabelledSets?: true
  /** Values that the product guarantees on any footage. */
  readonly bounds?: readonly Bound[]
}

/** Settings that a label implies for a video without `cena.json`. */
export interface LabelScene {
  readonly linha?: [x: number, y: number][]
}

/** A question about a single picture: the event, and the label that makes it right. */
export interface PictureQuestion {
  readonly rotulo: string
  /** The missing item that the question is about; null: the whole event. */
  readonly item: string | null
  /** Whether an event answers the question with yes. */
  readonly matches: (detalhes: Detalhes) => boolean
}

export interface Bound {
  readonly nome: string
  readonly limite: string
  /** Reason for the bound. */
  readonly razao: string
  /** null: the data contain nothing about it. */
  readonly measure: (results: BoundInput) => Measured | null
}

export interface Measured {
  readonly valor: string
  readonly ok: boolean
}

/** Results of one IA, and of all IAs and detectors of its model's task. */
export interface BoundInput {
  /** Events in videos; undefined: not measured. */
  readonly events: MeasuredEvents | undefined
  readonly pictures: readonly MeasuredPictures[]
  readonly task: {
    readonly events: readonly MeasuredEvents[]
    readonly pictures: readonly MeasuredPictures[]
    readonly detectors: readonly MeasuredDetector[]
  }
}

/** Events of one IA over all videos. */
interface MeasuredEvents {
  readonly rotulos: number
  readonly encontrados: number
  readonly falsos: number
  /** Length of the footage in which an unexpected event is false. */
  readonly horas: number
  readonly deteccao_s: { readonly pior: number } | null
}

/** One question on one set of pictures. */
interface MeasuredPictures {
  readonly conjunto: string
  /** The missing item of the question; null: the whole event. */
  readonly item: string | null
  readonly positivas: number
  /** Pictures with the label, and without it, in which the detector reports it. */
  readonly vistas: number
  readonly vistas_sem: readonly string[]
  /** Pictures without any label of the IA's model, and those of them that raised an event. */
  readonly vazias: number
  readonly falsas_vazias: readonly string[]
}

/** One class of a detector on one set of pictures. */
interface MeasuredDetector {
  readonly rotulo: string
  readonly rotulos: number
  readonly achados: number
  readonly certos: number
}

const percent = (value: number) => `${(value * 100).toFixed(1).replace('.', ',')} %`

function interval(found: number, all: number): string {
  const { de, ate } = shareOf(found, all)
  return `${percent(de)} a ${percent(ate)}`
}

/** The count with the 95 % interval of its share. */
export const ofAll = (found: number, all: number) => `${found} de ${all} (${interval(found, all)})`

/** The share as a value that is at least `least`. */
export const shareAtLeast = (least: number, found: number, all: number): Measured => ({
  valor: `${percent(found / all)} (${found} de ${all}; ${interval(found, all)})`,
  ok: found / all >= least,
})

export const sumOf = <T>(some: readonly T[], value: (one: T) => number): number =>
  some.reduce((sum, one) => sum + value(one), 0)
