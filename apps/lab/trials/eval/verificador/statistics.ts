export interface ReliabilityBin {
  /** Mean probability of presence in this bin, and share of true candidates, both weighted. */
  readonly dito: number
  readonly verdadeiros: number
  readonly n: number
  /** Sum of the weights. */
  readonly peso: number
}

interface Stated {
  readonly p: number
  readonly verdadeiro: boolean
}

export const BINS = 10

/**
 * Bins of equal width over the probability of presence; an empty bin has `n` 0.
 * @param halved true and false candidates weigh the same: the probabilities presuppose that half of the alarms are real
 */
export function reliability(rows: readonly Stated[], halved = false): ReliabilityBin[] {
  const real = rows.filter(({ verdadeiro }) => verdadeiro).length
  const weightOf = ({ verdadeiro }: Stated) =>
    halved ? rows.length / 2 / Math.max(1, verdadeiro ? real : rows.length - real) : 1
  return Array.from({ length: BINS }, (_, bin) => {
    const mine = rows.filter(({ p }) => Math.min(BINS - 1, Math.floor(p * BINS)) === bin)
    const sum = (value: (row: Stated) => number) => mine.reduce((total, row) => total + weightOf(row) * value(row), 0)
    const peso = sum(() => 1)
    const mean = (value: (row: Stated) => number) => (peso === 0 ? 0 : sum(value) / peso)
    return { dito: mean(({ p }) => p), verdadeiros: mean(({ verdadeiro }) => Number(verdadeiro)), n: mine.length, peso }
  })
}

/** Expected calibration error: the mean distance in the bins, weighted by their size. */
export function calibrationError(bins: readonly ReliabilityBin[]): number {
  const all = bins.reduce((sum, { peso }) => sum + peso, 0)
  const distance = bins.reduce((sum, { peso, dito, verdadeiros }) => sum + peso * Math.abs(dito - verdadeiros), 0)
  return all === 0 ? 0 : distance / all
}
