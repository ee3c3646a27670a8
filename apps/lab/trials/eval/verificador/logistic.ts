/** One row: features, label and weight. */
export interface FitRow {
  readonly x: readonly number[]
  readonly y: boolean
  readonly weight: number
}

const STEPS = 50
const PRECISION = 1e-8

export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))
export const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

/**
 * Logistic regression by Newton's method, with a Gaussian prior.
 * @param strength weight of the prior; 0 < strength: a separable set has no other maximum
 */
export function fitLogistic(rows: readonly FitRow[], prior: readonly number[], strength: number): number[] {
  let weights = [...prior]
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((value, i) => strength * (value - (prior[i] ?? 0)))
    const hessian = weights.map((_, i) => weights.map((_value, j) => (i === j ? strength : 0)))
    for (const { x, y, weight } of rows) {
      const p = sigmoid(dot(weights, x))
      for (const [i, xi] of x.entries()) {
        gradient[i] = (gradient[i] ?? 0) + weight * (p - Number(y)) * xi
        const row = hessian[i] ?? []
        for (const [j, xj] of x.entries()) row[j] = (row[j] ?? 0) + weight * p * (1 - p) * xi * xj
      }
    }
    const full = solve(hessian, gradient)
    // Newton's full step diverges where the first weights predict badly.
    const scale = Math.max(1, ...full.map(Math.abs))
    const move = full.map((value) => value / scale)
    weights = weights.map((value, i) => value - (move[i] ?? 0))
    if (Math.max(...move.map(Math.abs)) < PRECISION) break
  }
  return weights
}

/** Gaussian elimination; the matrix is positive definite, so that no pivot is 0. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0])
  const n = rows.length
  for (const [i, pivot] of rows.entries())
    for (const below of rows.slice(i + 1)) {
      const factor = (below[i] ?? 0) / (pivot[i] ?? 1)
      for (let j = i; j <= n; j++) below[j] = (below[j] ?? 0) - factor * (pivot[j] ?? 0)
    }
  const found = new Array<number>(n).fill(0)
  for (let i = n - 1; i >= 0; i--) {
    const row = rows[i] ?? []
    found[i] = ((row[n] ?? 0) - dot(found.slice(i + 1), row.slice(i + 1, n))) / (row[i] ?? 1)
  }
  return found
}
