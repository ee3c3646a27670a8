/** One plate of known text and its best reading; null: none. */
export interface PlateResult {
  readonly placa: string
  readonly found: { readonly placa: string; readonly chance: number } | null
}

export interface PlateSummary {
  readonly count: number
  /** Equal texts, whatever their chance. */
  readonly exact: number
  /** Other texts at or above the threshold. */
  readonly wrong: number
  /** Share of the symbols that are right at their position. */
  readonly symbols: number
}

export function summarizePlates(results: readonly PlateResult[], threshold: number): PlateSummary {
  const isExact = ({ placa, found }: PlateResult) => found?.placa === placa
  const right = ({ placa, found }: PlateResult) => [...placa].filter((symbol, at) => found?.placa[at] === symbol).length
  const symbols = results.reduce((sum, { placa }) => sum + placa.length, 0)
  return {
    count: results.length,
    exact: results.filter(isExact).length,
    wrong: results.filter((one) => !isExact(one) && (one.found?.chance ?? 0) >= threshold).length,
    symbols: results.reduce((sum, one) => sum + right(one), 0) / Math.max(1, symbols),
  }
}

const BINS = 10

/**
 * Expected calibration error of the chances (Guo et al. 2017), in ten bins of equal width. Plates without a reading do
 * not count.
 */
export function calibrationError(results: readonly PlateResult[]): number {
  const read = results.flatMap(({ placa, found }) =>
    found ? [{ chance: found.chance, right: found.placa === placa ? 1 : 0 }] : [],
  )
  const bins = Map.groupBy(read, ({ chance }) => Math.min(BINS - 1, Math.floor(chance * BINS)))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return [...bins.values()].reduce((error, bin) => {
    const gap = Math.abs(mean(bin.map(({ chance }) => chance)) - mean(bin.map(({ right }) => right)))
    return error + (bin.length / read.length) * gap
  }, 0)
}
