import type { TarefaModelo } from './catalogue-entry.ts'
import type { Detection } from './detection.ts'
import { labelNames } from './label-names.ts'
import type { PictureMeasures } from './tasks/imagem.ts'

/** An alarm of one IA, as its judge sees it. */
export interface Alarm {
  /** What the edge saw, in fractions of the whole frame. */
  readonly caixas: readonly Detection[]
  /** Labels that the IA accepts. */
  readonly rotulos: readonly string[]
  /** Confidence that the camera's calibration asks of the first model, 0–1. */
  readonly conf: number
  /** What the IA measured (`detalhes` of the event); from outside, so of any type. */
  readonly detalhes: Readonly<Record<string, unknown>>
}

export interface Opinion {
  readonly decisao: 'confirmado' | 'refutado'
  /** Of the decision: what the second model saw there when it confirms, what is missing to 1 when it refutes. */
  readonly confianca: number
  /** Portuguese sentence for the person who reads the alert. */
  readonly motivo: string
  /** Registry id of the model that decided, or another name of what decided. */
  readonly modelo: string
}

/** A detector's finding: the highest confidence at each place of the alarm. */
export interface Detected {
  readonly kind: 'detected'
  readonly modelo: string
  readonly seen: readonly number[]
}

/** A classifier's finding: label → probability at each place of the alarm. */
export interface Classified {
  readonly kind: 'classified'
  readonly modelo: string
  /** `rotulo`: what the edge saw there; null: the picture as a whole, because the places are not known. */
  readonly places: readonly { readonly rotulo: string | null; readonly seen: ReadonlyMap<string, number> }[]
}

export interface Measured {
  readonly modelo: string
  readonly measures: PictureMeasures
}

/** What to look for, in boxes of which labels. */
export interface Question {
  readonly rotulos: readonly string[]
  /** Sides of the places that a detector is shown, as multiples of the box's longer side. */
  readonly factors: readonly number[]
}

/**
 * The second models, by task, on the pictures of one alarm (packages/vision). Each throws VigiaError `validacao` when the picture cannot be
 * decoded, and `interno` when the task has no usable model: neither is a verdict.
 */
export interface SecondLooks {
  detect(tarefa: TarefaModelo, question: Question): Promise<Detected>
  /** With the installer's detector for the task, or with its classifier. */
  inspect(tarefa: TarefaModelo, question: Question): Promise<Detected | Classified>
  measure(): Promise<Measured>
}

/** The decision on an alarm of one IA: the export of its `judge.ts`. Pure but for the looks it asks for. */
export type Judge = (alarm: Alarm, looks: SecondLooks) => Promise<Opinion>

/** How hard to look, and what it takes to confirm. */
export interface Demand {
  /** Confidence with which the second model must see it, 0–1. */
  readonly confirm: number
  /** Fraction of the boxes that must be real; 0: one is enough. */
  readonly share: number
  readonly factors: readonly number[]
}

/**
 * A person (vehicle, …) stands there when the second model says so with a confidence of 0.15, seen with as much again around it. Chosen on
 * footage: of the true alarms of the first model (608) none was refuted, of its false ones 98 % were (packages/vision/README.md, "Second
 * opinion"). A missed alarm is worse than a false one.
 */
export const usualDemand: Demand = { confirm: 0.15, share: 0, factors: [2] }
/** However little the calibration asks of the first model, this much is asked of the second. */
const LEAST = 0.1
/** An alarm with more boxes than this is judged by its most confident ones: it is enough that one is real. */
const MAX_BOXES = 8
/** Confidence of a verdict that neither side decided. */
export const UNPROVED = 0.5

/** The judge of an IA whose alarms a detector of `tarefa` confirms. */
export const detectionJudge =
  (tarefa: TarefaModelo, demand: Demand = usualDemand): Judge =>
  async (alarm, looks) =>
    judgeDetected(await looks.detect(tarefa, { rotulos: alarm.rotulos, factors: demand.factors }), alarm, demand)

export function judgeDetected({ seen, modelo }: Detected, alarm: Alarm, demand: Demand = usualDemand): Opinion {
  const needed = Math.max(1, Math.ceil(seen.length * demand.share))
  const value = seen.toSorted((a, b) => b - a)[needed - 1] ?? 0
  const what = labelNames(alarm.rotulos)
  // Where the installer asks for less of the first model, the second must not ask for more.
  return value >= Math.min(demand.confirm, Math.max(LEAST, alarm.conf))
    ? { decisao: 'confirmado', confianca: value, motivo: seenThere(what, value), modelo }
    : { decisao: 'refutado', confianca: 1 - value, motivo: notSeen(what, value), modelo }
}

export const seenThere = (what: string, value: number): string =>
  `Segundo modelo viu ${what} no mesmo lugar (${percentOf(value)}).`
export const notSeen = (what: string, value: number): string =>
  `Segundo modelo não viu ${what} na região do alerta (máximo ${percentOf(value)}).`

/** The boxes that an alarm with these labels is about, the most confident first, as many as are looked at. */
export const tellingBoxes = (caixas: readonly Detection[], rotulos: readonly string[]): Detection[] =>
  caixas
    .filter(({ rotulo, w, h }) => rotulos.includes(rotulo) && w > 0 && h > 0)
    .toSorted((a, b) => b.confianca - a.confianca)
    .slice(0, MAX_BOXES)

/** `83%`, rounded down, as everywhere in the product: 100% is claimed by nothing less. */
export const percentOf = (value: number): string => `${Math.floor(value * 100 + 1e-9)}%`
