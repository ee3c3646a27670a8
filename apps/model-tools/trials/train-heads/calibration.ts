/** One judged place: evidence for the logistic function, and the truth. */
export interface Judged {
  readonly evidence: readonly number[]
  readonly real: boolean
}

/** Logit of a probability, which is clipped as in `packages/ias/src/verdict-calibration.ts`. */
export const logit = (probability: number): number => {
  const clipped = Math.min(0.99, Math.max(0.01, probability))
  return Math.log(clipped / (1 - clipped))
}
export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))

/** Probability of a place: `weights` for the evidence, then the bias. */
export const probabilityOf = (weights: readonly number[], evidence: readonly number[]): number =>
  sigmoid(evidence.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), weights.at(-1) ?? 0))

const ROUNDS = 30
const RIDGE = 1e-3

/** Weights with which half of all targets are real. */
function balanceOf(targets: readonly { readonly real: boolean }[]): (real: boolean) => number {
  const real = targets.filter((one) => one.real).length
  const [forReal, forOthers] = [targets.length / (2 * real), targets.length / (2 * (targets.length - real))]
  return (isReal) => (isReal ? forReal : forOthers)
}

/**
 * Logistic regression by Newton's method. Returns the weights of the evidence, then the bias. The probabilities hold
 * where half of the alarms are real.
 */
export function calibrate(judged: readonly Judged[]): number[] {
  const balance = balanceOf(judged)
  const width = (judged[0]?.evidence.length ?? 0) + 1
  let weights: number[] = Array.from({ length: width }, () => 0)
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight) => RIDGE * weight)
    const curve = weights.map((_, row) => weights.map((__, column): number => (row === column ? RIDGE : 0)))
    for (const { evidence, real } of judged) {
      const inputs = [...evidence, 1]
      const p = probabilityOf(weights, evidence)
      for (const [row, input] of inputs.entries()) {
        slope[row] = (slope[row] ?? 0) + balance(real) * (p - Number(real)) * input
        const line = curve[row] ?? []
        const steepness = balance(real) * p * (1 - p) * input
        for (const [column, other] of inputs.entries()) line[column] = (line[column] ?? 0) + steepness * other
      }
    }
    const step = solve(curve, slope)
    weights = weights.map((weight, at) => weight - (step[at] ?? 0))
  }
  return weights
}

/** Solves a small system by Gaussian elimination; `matrix` is positive definite, so it needs no pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0])
  for (const [at, pivot] of rows.entries())
    for (const [other, row] of rows.entries()) {
      if (other === at) continue
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1)
      for (const [column, value] of pivot.entries()) row[column] = (row[column] ?? 0) - factor * value
    }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1))
}

/** A probability and the truth. */
export interface Scored {
  readonly p: number
  readonly real: boolean
}

/** Area under the ROC curve; NaN without both kinds. */
export function areaUnderCurve(scored: readonly Scored[]): number {
  const sorted = scored.toSorted((a, b) => a.p - b.p)
  const real = sorted.filter((one) => one.real).length
  let ranks = 0
  for (let at = 0; at < sorted.length; ) {
    let end = at
    while (end < sorted.length && sorted[end]?.p === sorted[at]?.p) end++
    const tied = sorted.slice(at, end).filter((one) => one.real).length
    ranks += tied * ((at + 1 + end) / 2)
    at = end
  }
  return (ranks - (real * (real + 1)) / 2) / (real * (sorted.length - real))
}

const BINS = 10
export interface Bin {
  readonly count: number
  /** Mean probability and share of real targets, where half of all targets are real. */
  readonly mean: number
  readonly share: number
}

/** Reliability table: tenths of the probability. */
export function reliability(scored: readonly Scored[]): (Bin & { readonly weight: number })[] {
  const balance = balanceOf(scored)
  return Array.from({ length: BINS }, (_, bin) => {
    const mine = scored.filter(({ p }) => Math.min(BINS - 1, Math.floor(p * BINS)) === bin)
    const sum = (value: (one: Scored) => number) =>
      mine.reduce((total, one) => total + balance(one.real) * value(one), 0)
    const weight = sum(() => 1)
    return {
      count: mine.length,
      weight,
      mean: sum(({ p }) => p) / weight,
      share: sum(({ real }) => Number(real)) / weight,
    }
  })
}

/** Expected calibration error: mean difference of probability and share, weighted by the size of the tenths. */
export const calibrationError = (scored: readonly Scored[]): number =>
  reliability(scored).reduce(
    (sum, { count, weight, mean, share }) =>
      count > 0 ? sum + (weight / scored.length) * Math.abs(mean - share) : sum,
    0,
  )
