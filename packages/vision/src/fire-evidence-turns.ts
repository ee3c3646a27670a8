/**
 * Number of turning points in the brightness of each cell over the last `pictures` pictures. A turning point is a
 * change of direction with at least the cell's `swing`. A random series turns at two of three values, a passing object
 * once. `level(age)`: brightness of all cells `age` pictures ago.
 *
 * `apart`: first removes the common signal, the regression of the cell on the mean of the others. Thus a blinking light
 * and its glow do not count. A single cell keeps its own signal, because it has no others.
 */
export function turningCounts(
  level: (age: number) => Uint8Array,
  pictures: number,
  cells: readonly number[],
  swing: (cell: number) => number,
  apart: boolean,
): number[] {
  const slots = Array.from({ length: pictures }, (_, age) => level(age))
  const sums = slots.map((slot) => cells.reduce((sum, cell) => sum + (slot[cell] as number), 0))
  return cells.map((cell) => {
    const own = slots.map((slot) => slot[cell] as number)
    if (!apart || cells.length < 2) return turningPoints(own, swing(cell))
    const others = own.map((value, age) => ((sums[age] as number) - value) / (cells.length - 1))
    return turningPoints(without(own, others), swing(cell))
  })
}

/** Residual of `own` after its regression on `others`. */
function without(own: readonly number[], others: readonly number[]): number[] {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [ownMean, otherMean] = [mean(own), mean(others)]
  let [together, alone] = [0, 1e-6]
  own.forEach((value, at) => {
    const other = (others[at] as number) - otherMean
    together += (value - ownMean) * other
    alone += other * other
  })
  return own.map((value, at) => value - (together / alone) * ((others[at] as number) - otherMean))
}

/** Turning points of a series, with a hysteresis of `swing`. */
function turningPoints(series: readonly number[], swing: number): number {
  let [highest, lowest] = [series[0] as number, series[0] as number]
  let direction = 0
  let turns = 0
  for (const value of series) {
    highest = Math.max(highest, value)
    lowest = Math.min(lowest, value)
    if (direction >= 0 && highest - value >= swing) {
      if (direction > 0) turns++
      direction = -1
      lowest = value
    } else if (direction <= 0 && value - lowest >= swing) {
      if (direction < 0) turns++
      direction = 1
      highest = value
    }
  }
  return turns
}
