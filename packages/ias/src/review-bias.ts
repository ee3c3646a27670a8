import { scoreLimits } from './verdict-calibration.ts'

/** Fewest reviews of a camera and IA that give a bias. */
export const MIN_REVIEWS = 30
/** Largest bias, in logits: odds change at most by a factor of e. */
const MAX_BIAS = 1
/**
 * Precision of the prior, whose mean is 0. Its standard deviation of 0.5 logits lets 30 reviews move a score, but not a
 * few surprises.
 */
const PRIOR_PRECISION = 4
/** Bounds of one probability. Beyond them, one wrong verdict would count as much as many right ones. */
const P_MIN = 0.02

/** Reviewed verdicts of one camera and IA. */
export interface ReviewedVerdicts {
  readonly revisoes: number
  /** Those that the person confirmed. */
  readonly verdadeiros: number
  /** Sums of p and of p(1 - p), with p as `probabilityWithoutBias` gives it. */
  readonly esperados: number
  readonly variancia: number
}

/**
 * Bias of the verification's score in logits, from reviews of administradores. It is above 0 if the verified events are
 * real more often than their probabilities say.
 *
 * The value is one Newton step of the intercept of a logistic regression, with the scores as offset: (observed -
 * expected) / (Fisher information + prior precision). Calibrated verdicts give 0, whatever share of them is real: a
 * camera that sees only people needs no bias. Fewer than 30 reviews give 0, and the result is within ±1. It moves the
 * limit between `alta` and `baixa` only: judges refute on the score without it.
 */
export function reviewBias({ revisoes, verdadeiros, esperados, variancia }: ReviewedVerdicts): number {
  if (revisoes < MIN_REVIEWS) return 0
  const step = (verdadeiros - esperados) / (variancia + PRIOR_PRECISION)
  return Math.min(MAX_BIAS, Math.max(-MAX_BIAS, step))
}

/** A stored verdict: probability of its decision, and the bias in it. */
interface StoredVerdict {
  readonly decisao: 'confirmado' | 'refutado'
  readonly confianca: number
  readonly ajuste: number
}

/** Probability that the event is real, without the bias of its verdict. */
export function probabilityWithoutBias({ decisao, confianca, ajuste }: StoredVerdict): number {
  const real = bounded(decisao === 'confirmado' ? confianca : 1 - confianca)
  return bounded(withBias(real, -ajuste))
}

const bounded = (p: number): number => Math.min(1 - P_MIN, Math.max(P_MIN, p))

/** Sums of reviewed verdicts, as `reviewBias` takes them. */
export function sumReviews(reviewed: readonly (StoredVerdict & { readonly real: boolean })[]): ReviewedVerdicts {
  const ps = reviewed.map(probabilityWithoutBias)
  return {
    revisoes: reviewed.length,
    verdadeiros: reviewed.filter(({ real }) => real).length,
    esperados: ps.reduce((sum, p) => sum + p, 0),
    variancia: ps.reduce((sum, p) => sum + p * (1 - p), 0),
  }
}

/** The probability after a bias in logits. */
const withBias = (p: number, bias: number): number => 1 / (1 + Math.exp(-bias) * (1 / p - 1))

interface Verdict {
  readonly decisao: 'confirmado' | 'refutado'
  readonly certeza: 'alta' | 'baixa'
  readonly confianca: number
  readonly motivo: string
}

/**
 * Applies a bias to a calibrated verdict: it moves `confianca`, and with it `certeza`. A refuted verdict stays as it
 * is, and no verdict becomes refuted. A verdict outside the limits of the score has none and stays as it is, too.
 * `ajuste` is the bias that `confianca` then contains; absent: the verdict has no score.
 */
export function applyReviewBias<T extends Verdict>(verdict: T, bias: number): T & { readonly ajuste?: number } {
  const { decisao, certeza, confianca } = verdict
  if (decisao === 'refutado') return confianca >= 1 - scoreLimits.refute ? { ...verdict, ajuste: 0 } : verdict
  if ((certeza === 'alta') !== confianca >= scoreLimits.confirm || confianca <= 0) return verdict
  const biased = withBias(confianca, bias)
  const next = biased >= scoreLimits.confirm ? 'alta' : 'baixa'
  const motivo = next === certeza ? verdict.motivo : `${verdict.motivo} ${reasons[next]}`
  return { ...verdict, certeza: next, confianca: biased, motivo, ajuste: bias }
}

const reasons = {
  alta: 'Nas revisões desta câmera, alarmes assim eram verdadeiros.',
  baixa: 'Nas revisões desta câmera, muitos alarmes assim eram falsos.',
} as const
