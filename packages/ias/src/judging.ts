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
  /** `baixa`: the second model could not decide; the decision is then `confirmado`. `refutado` always has `alta`. */
  readonly certeza: 'alta' | 'baixa'
  /** Probability that the decision is right, 0–1. */
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
  /** Confidence of the second model that confirms surely, 0–1. */
  readonly confirm: number
  /** Confidence of the second model up to which the thing is absent, 0–1. */
  readonly absent: number
  /** Fraction of the boxes that must be confirmed; 0: one is enough. */
  readonly share: number
  readonly factors: readonly number[]
}

/** Between the two limits the second model does not decide: below 0.05, 1 % of the candidates are real people. */
export const usualDemand: Demand = { confirm: 0.5, absent: 0.05, share: 0, factors: [2] }
/** From this confidence of the first model on, a second model never refutes. */
const SURE_FIRST = 0.6
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
  if (value >= demand.confirm)
    return { decisao: 'confirmado', certeza: 'alta', confianca: value, motivo: seenThere(what), modelo }
  const first = Math.max(0, ...judgedBoxes(alarm.caixas, alarm.rotulos).map(({ confianca }) => confianca))
  if (value < demand.absent && first < SURE_FIRST)
    return { decisao: 'refutado', certeza: 'alta', confianca: 1 - value, motivo: notSeen(what), modelo }
  return { decisao: 'confirmado', certeza: 'baixa', confianca: UNPROVED, motivo: unsure(what), modelo }
}

export const seenThere = (what: string): string => `Segundo modelo viu ${what} no mesmo lugar.`
export const notSeen = (what: string): string => `Segundo modelo não viu ${what} na região do alerta.`
export const unsure = (what: string): string => `Segundo modelo não tem certeza de que seja ${what}. Confira a imagem.`

/** The boxes with these labels, most confident first, at most MAX_BOXES. */
export const judgedBoxes = (caixas: readonly Detection[], rotulos: readonly string[]): Detection[] =>
  caixas
    .filter(({ rotulo, w, h }) => rotulos.includes(rotulo) && w > 0 && h > 0)
    .toSorted((a, b) => b.confianca - a.confianca)
    .slice(0, MAX_BOXES)
