import type { TarefaModelo } from './catalogue-entry.ts'
import type { Detection } from './detection.ts'
import { labelNames } from './label-names.ts'
import type { PictureMeasures } from './tasks/imagem.ts'

/** An alarm of one IA, the input of its judge. */
export interface Alarm {
  /** Boxes from the edge, in fractions of the whole frame. */
  readonly caixas: readonly Detection[]
  /** Labels that the IA accepts. */
  readonly rotulos: readonly string[]
  /** Confidence that the camera's calibration requires of the first model, 0–1. */
  readonly conf: number
  /** `detalhes` of the event; untrusted input, so of any type. */
  readonly detalhes: Readonly<Record<string, unknown>>
}

export interface Opinion {
  readonly decisao: 'confirmado' | 'refutado'
  /**
   * Confidence of the decision: the second model's probability when it confirms, 1 minus this probability when it
   * refutes.
   */
  readonly confianca: number
  /** Portuguese sentence for the person who reads the alert. */
  readonly motivo: string
  /** Registry id of the deciding model, or the name of another method. */
  readonly modelo: string
}

/** A detector's finding: the highest confidence in each region of the alarm. */
export interface Detected {
  readonly kind: 'detected'
  readonly modelo: string
  readonly seen: readonly number[]
}

/** A classifier's finding: label → probability in each region of the alarm. */
export interface Classified {
  readonly kind: 'classified'
  readonly modelo: string
  /** `rotulo`: label from the edge; null: the whole picture, because the regions are unknown. */
  readonly regions: readonly { readonly rotulo: string | null; readonly seen: ReadonlyMap<string, number> }[]
}

export interface Measured {
  readonly modelo: string
  readonly measures: PictureMeasures
}

/** Labels of the boxes to inspect, which are also the labels to detect. */
export interface Question {
  readonly rotulos: readonly string[]
  /** Sides of the regions for a detector, as multiples of the box's longer side. */
  readonly factors: readonly number[]
}

/**
 * The second models on the pictures of one alarm (packages/vision). Each throws VigiaError `validacao` when the picture
 * cannot be decoded, and `interno` when the task has no usable model. Their findings are not yet a verdict.
 */
export interface SecondModels {
  detect(tarefa: TarefaModelo, question: Question): Promise<Detected>
  /** Runs the installer's detector for the task, or the classifier of the task. */
  inspect(tarefa: TarefaModelo, question: Question): Promise<Detected | Classified>
  measure(): Promise<Measured>
}

/** Decides on an alarm of one IA: the export of its `judge.ts`. Pure except for its inferences. */
export type Judge = (alarm: Alarm, models: SecondModels) => Promise<Opinion>

/** Regions and thresholds of a judge. */
export interface Demand {
  /** Confidence of the second model that confirms, 0–1. */
  readonly confirm: number
  /** Fraction of the boxes that must be confirmed; 0: one is enough. */
  readonly share: number
  readonly factors: readonly number[]
}

/**
 * A person or vehicle is confirmed by a confidence of 0.15 in a region of twice the box. Chosen on footage: none of the
 * 608 true alarms of the first model was refuted, and 98 % of its false ones were (packages/vision/README.md, "Second
 * opinion"). A missed alarm is worse than a false one.
 */
export const usualDemand: Demand = { confirm: 0.15, share: 0, factors: [2] }
/** Lower bound of the second model's threshold when the calibration has a low `conf`. */
const LEAST = 0.1
/** Largest number of judged boxes, most confident first: one real box is enough. */
const MAX_BOXES = 8
/** Confidence of an undecided verdict. */
export const UNPROVED = 0.5

/** The judge of an IA whose alarms the detector of `tarefa` decides on. */
export const detectionJudge =
  (tarefa: TarefaModelo, demand: Demand = usualDemand): Judge =>
  async (alarm, models) =>
    judgeDetected(await models.detect(tarefa, { rotulos: alarm.rotulos, factors: demand.factors }), alarm, demand)

export function judgeDetected({ seen, modelo }: Detected, alarm: Alarm, demand: Demand = usualDemand): Opinion {
  const needed = Math.max(1, Math.ceil(seen.length * demand.share))
  const value = seen.toSorted((a, b) => b - a)[needed - 1] ?? 0
  const what = labelNames(alarm.rotulos)
  // A lower `conf` of the calibration also lowers the threshold of the second model.
  return value >= Math.min(demand.confirm, Math.max(LEAST, alarm.conf))
    ? { decisao: 'confirmado', confianca: value, motivo: seenThere(what, value), modelo }
    : { decisao: 'refutado', confianca: 1 - value, motivo: notSeen(what, value), modelo }
}

export const seenThere = (what: string, value: number): string =>
  `Segundo modelo viu ${what} no mesmo lugar (${percentOf(value)}).`
export const notSeen = (what: string, value: number): string =>
  `Segundo modelo não viu ${what} na região do alerta (máximo ${percentOf(value)}).`

/** The boxes with these labels, most confident first, at most MAX_BOXES. */
export const judgedBoxes = (caixas: readonly Detection[], rotulos: readonly string[]): Detection[] =>
  caixas
    .filter(({ rotulo, w, h }) => rotulos.includes(rotulo) && w > 0 && h > 0)
    .toSorted((a, b) => b.confianca - a.confianca)
    .slice(0, MAX_BOXES)

/** `83%`, rounded down as everywhere in the product, so that only 1 gives 100%. */
export const percentOf = (value: number): string => `${Math.floor(value * 100 + 1e-9)}%`
