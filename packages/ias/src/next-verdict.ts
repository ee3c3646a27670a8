import type { Opinion } from './judging.ts'
import { FIRST_NEVER_REFUTED, scoreLimits } from './verdict-calibration.ts'

/** The stored verdict of an event; `certeza` null: of an older release. */
export interface CurrentVerdict {
  readonly decisao: Opinion['decisao']
  readonly certeza: Opinion['certeza'] | null
  /** Confidence of the first model, 0–1. */
  readonly primeiraConfianca: number
  /** Probability of presence by the candidate's picture, without the bias of reviews. */
  readonly probabilidade: number
}

/** The verifier's opinion on one later picture, which it judged with `conjunta`. */
export interface LaterOpinion<O extends Judged = Judged> {
  readonly fonte: 'sub' | 'principal'
  readonly dtMs: number
  readonly redetectada: boolean
  readonly opiniao: O
}

type Judged = Pick<Opinion, 'decisao' | 'certeza' | 'confianca'>

/** Largest distance in time at which a picture shows the detection itself. */
const SAME_MS = 500
/**
 * Pictures of the analysed stream that refute together, with a higher limit if the candidate's picture agrees
 * (docs/quality.md, "Verifier"). One picture of the main stream is enough: its detail separates better than all models
 * together.
 */
const AGREEING = 2

/**
 * Decides whether later pictures change a verdict. They may raise `baixa` to `alta`, or turn `baixa` into `refutado`. A
 * picture counts towards `refutado` if it is of the time of the detection, or if the object was detected in it again.
 * Any other picture can only confirm. null: the verdict stays.
 */
export function nextVerdict<O extends Judged>(current: CurrentVerdict, later: readonly LaterOpinion<O>[]): O | null {
  if (current.decisao !== 'confirmado' || current.certeza !== 'baixa') return null
  const sure = later.filter(({ opiniao }) => opiniao.certeza === 'alta')
  const [confirming] = sure
    .filter(({ opiniao }) => opiniao.decisao === 'confirmado')
    .toSorted((a, b) => b.opiniao.confianca - a.opiniao.confianca)
  if (confirming) return confirming.opiniao
  if (current.primeiraConfianca >= FIRST_NEVER_REFUTED) return null
  const counting = later.filter(({ dtMs, redetectada }) => redetectada || Math.abs(dtMs) <= SAME_MS)
  const refuting = counting.filter(({ opiniao }) => opiniao.decisao === 'refutado' && opiniao.certeza === 'alta')
  if (refuting.length < counting.length) return null
  const [weakest] = refuting.map(({ opiniao }) => opiniao).toSorted((a, b) => a.confianca - b.confianca)
  if (!weakest) return null
  const isSure = weakest.confianca >= 1 - scoreLimits.refute || current.probabilidade <= scoreLimits.refuteTogether
  const isEnough = (refuting.length >= AGREEING && isSure) || refuting.some(({ fonte }) => fonte === 'principal')
  return isEnough ? weakest : null
}
