import type { createFireHistory } from './fire-evidence-history.ts'
import type { CellGrid } from './motion-cells.ts'

/** Minimum difference of an edge between neighbouring cells in the mean of the pictures, grey levels. */
const EDGE = 12
/** Minimum of edges outside flame-coloured cells for a measurement, and maximum of sampled edges. */
const LEAST_EDGES = 40
const MOST_EDGES = 200

type History = ReturnType<typeof createFireHistory>

/**
 * Brightness swing of each cell by camera shake (wind, a passing lorry), grey levels. Shake moves edges over a cell, by
 * a share of their height. The share is the largest median change of edges between consecutive pictures, measured
 * outside flame-coloured cells. About 0 for a camera at rest.
 */
export function shakeSwing(grid: CellGrid, history: History, pictures: number): Float32Array {
  const swings = edgesOf(grid, history, pictures)
  const cells: number[] = []
  for (let cell = 0; cell < grid.count; cell++) {
    if ((swings[cell] as number) >= EDGE && history.burning[cell] === 0) cells.push(cell)
  }
  if (cells.length < LEAST_EDGES) return swings.fill(0)
  const every = Math.ceil(cells.length / MOST_EDGES)
  const looked = cells.filter((_, index) => index % every === 0)
  let share = 0
  for (let age = 0; age + 1 < pictures; age++) {
    const [now, before] = [history.level(age), history.level(age + 1)]
    const change = (cell: number) =>
      Math.abs((now[cell] as number) - (before[cell] as number)) / (swings[cell] as number)
    const changes = Float32Array.from(looked, change).sort()
    share = Math.max(share, changes[changes.length >> 1] as number)
  }
  for (let cell = 0; cell < grid.count; cell++) swings[cell] = share * (swings[cell] as number)
  return swings
}

/** Largest difference of each cell to its four neighbours in the mean of the last `pictures` pictures, grey levels. */
function edgesOf({ columns, count }: CellGrid, history: History, pictures: number): Float32Array {
  const mean = new Float32Array(count)
  for (let age = 0; age < pictures; age++) {
    const level = history.level(age)
    for (let cell = 0; cell < count; cell++) mean[cell] = (mean[cell] as number) + (level[cell] as number) / pictures
  }
  const edges = new Float32Array(count)
  const compare = (one: number, other: number) => {
    const edge = Math.abs((mean[one] as number) - (mean[other] as number))
    edges[one] = Math.max(edges[one] as number, edge)
    edges[other] = Math.max(edges[other] as number, edge)
  }
  for (let cell = 0; cell < count; cell++) {
    if ((cell + 1) % columns !== 0) compare(cell, cell + 1)
    if (cell + columns < count) compare(cell, cell + columns)
  }
  return edges
}
