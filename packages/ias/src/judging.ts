import type { TarefaModelo } from './catalogue-entry.ts'
import type { Detection } from './detection.ts'
import { labelNames } from './label-names.ts'
import type { PictureMeasures } from './tasks/imagem.ts'
import {
  type CutQuality,
  damageOf,
  FIRST_NEVER_REFUTED,
  probabilityOf,
  refuteLimit,
  SCORE_FACTORS,
  scoreLimits,
} from './verdict-calibration.ts'

/** An alarm of one IA, the input of its judge. */
export interface Alarm {
  /** Boxes from the edge, in fractions of the whole frame. */
  readonly caixas: readonly Detection[]
  /** Labels that the IA accepts. */
  readonly rotulos: readonly string[]
  /** Confidence that the camera's calibration requires of the first model, 0–1. */
  readonly conf: number
  /**
   * Stream of the picture; default: `sub`. The main stream (`principal`) shows the object with more pixels.
   */
  readonly fonte?: 'sub' | 'principal'
  /** Whether a refutation also needs other pictures that agree (next-verdict.ts); default: false. */
  readonly conjunta?: boolean
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

/** A detector's finding in the regions of the alarm. */
export interface Detected {
  readonly kind: 'detected'
  readonly modelo: string
  readonly regions: readonly DetectedRegion[]
}

/** One box of the alarm, or the whole picture when no box is known. */
export interface DetectedRegion {
  /** Label and confidence from the edge; null: the whole picture. */
  readonly first: { readonly rotulo: string; readonly confianca: number } | null
  /** Highest confidence of the second model for each factor of the question. */
  readonly seen: readonly number[]
  readonly quality: CutQuality
}

/** A classifier's finding: label → probability in each region of the alarm. */
export interface Classified {
  readonly kind: 'classified'
  readonly modelo: string
  readonly regions: readonly ClassifiedRegion[]
}

/** One box of the alarm, or the whole picture when no box is known. */
export interface ClassifiedRegion {
  /** Label and confidence from the edge; null: the whole picture. */
  readonly first: { readonly rotulo: string; readonly confianca: number } | null
  readonly seen: ReadonlyMap<string, number>
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

/** For a detector without calibrated scores: between the two limits it does not decide. */
export const usualDemand: Demand = { confirm: 0.5, absent: 0.05, share: 0, factors: [2] }
/** Largest number of judged boxes, most confident first: one real box is enough. */
const MAX_BOXES = 8
/** Confidence of an undecided verdict. */
export const UNPROVED = 0.5

/**
 * The judge of people and vehicles by the calibrated score.
 * @param share fraction of the boxes that must be real; 0: one is enough
 */
export const scoredJudge =
  (share = 0): Judge =>
  async (alarm, models) =>
    judgeScored(await models.detect('objetos', { rotulos: alarm.rotulos, factors: SCORE_FACTORS }), alarm, share)

/**
 * Refutes if too few boxes remain without the absent ones. An absent box has a low score in a clear picture, and the
 * first model doubted it too.
 */
export function judgeScored(
  { regions, modelo }: Detected,
  { rotulos, fonte, conjunta }: Alarm,
  share: number,
): Opinion {
  const needed = Math.max(1, Math.ceil(regions.length * share))
  const scored = regions.map((region) => ({ ...region, p: probabilityOf(region, fonte) })).toSorted((a, b) => b.p - a.p)
  const deciding = scored[needed - 1]
  const p = deciding?.p ?? 0
  const what = labelNames(rotulos)
  if (p >= scoreLimits.confirm)
    return { decisao: 'confirmado', certeza: 'alta', confianca: p, motivo: seenThere(what), modelo }
  const low = scored.filter((region) => region.p <= refuteLimit(region, fonte, conjunta) && isDoubted(region.first))
  const absent = low.filter(({ quality }) => damageOf(quality) === null)
  if (absent.length > regions.length - needed)
    return { decisao: 'refutado', certeza: 'alta', confianca: 1 - p, motivo: notSeen(what), modelo }
  const damage = low.length > regions.length - needed ? low.map(({ quality }) => damageOf(quality)).find(Boolean) : null
  const motivo = damage ? tooDamaged(what, damage) : unsure(what)
  return { decisao: 'confirmado', certeza: 'baixa', confianca: p, motivo, modelo }
}

const isDoubted = (first: DetectedRegion['first']): boolean => first !== null && first.confianca < FIRST_NEVER_REFUTED

/** The judge of an IA whose alarms the detector of `tarefa` decides on, without a calibrated score. */
export const detectionJudge =
  (tarefa: TarefaModelo, demand: Demand = usualDemand): Judge =>
  async (alarm, models) =>
    judgeDetected(await models.detect(tarefa, { rotulos: alarm.rotulos, factors: demand.factors }), alarm, demand)

export function judgeDetected({ regions, modelo }: Detected, alarm: Alarm, demand: Demand = usualDemand): Opinion {
  const needed = Math.max(1, Math.ceil(regions.length * demand.share))
  const highest = regions.map(({ seen }) => Math.max(0, ...seen))
  const value = highest.toSorted((a, b) => b - a)[needed - 1] ?? 0
  const what = labelNames(alarm.rotulos)
  if (value >= demand.confirm)
    return { decisao: 'confirmado', certeza: 'alta', confianca: value, motivo: seenThere(what), modelo }
  const isAbsent = regions.every(({ first, quality }) => isDoubted(first) && damageOf(quality) === null)
  if (value < demand.absent && isAbsent)
    return { decisao: 'refutado', certeza: 'alta', confianca: 1 - value, motivo: notSeen(what), modelo }
  return { decisao: 'confirmado', certeza: 'baixa', confianca: UNPROVED, motivo: unsure(what), modelo }
}

export const seenThere = (what: string): string => `Havia ${what} no mesmo lugar.`
export const notSeen = (what: string): string => `Não havia ${what} na região do alerta.`
export const unsure = (what: string): string => `Não é certo que seja ${what}. Confira a imagem.`

const damageWords: Readonly<Record<NonNullable<ReturnType<typeof damageOf>>, string>> = {
  noise: 'com ruído demais',
  dark: 'escura demais',
  blur: 'desfocada demais',
}
const tooDamaged = (what: string, damage: keyof typeof damageWords): string =>
  `A imagem está ${damageWords[damage]} para decidir se é ${what}. Confira a imagem.`

/** The boxes with these labels, most confident first, at most MAX_BOXES. */
export const judgedBoxes = (caixas: readonly Detection[], rotulos: readonly string[]): Detection[] =>
  caixas
    .filter(({ rotulo, w, h }) => rotulos.includes(rotulo) && w > 0 && h > 0)
    .toSorted((a, b) => b.confianca - a.confianca)
    .slice(0, MAX_BOXES)
