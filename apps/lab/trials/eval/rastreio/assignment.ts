/**
 * Optimal assignment (Hungarian method with potentials, O(n³)): for each row its column, or -1. Each column has at most
 * one row, as many pairs as possible are made, and the sum of `costs` is the least possible.
 */
export function assign(costs: readonly (readonly number[])[]): number[] {
  const columns = costs[0]?.length ?? 0
  if (columns === 0) return costs.map(() => -1)
  if (costs.length > columns) {
    const turned = assign(Array.from({ length: columns }, (_, column) => costs.map((row) => row[column] ?? 0)))
    const rows = costs.map(() => -1)
    turned.forEach((row, column) => {
      if (row >= 0) rows[row] = column
    })
    return rows
  }
  const rowPotential = new Float64Array(costs.length + 1)
  const columnPotential = new Float64Array(columns + 1)
  /** Row of each column, both counted from 1; 0: none. Column 0 holds the row that is being assigned. */
  const rowOf = new Int32Array(columns + 1)
  for (let row = 1; row <= costs.length; row++) {
    const best = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY)
    const from = new Int32Array(columns + 1)
    const visited = new Uint8Array(columns + 1)
    rowOf[0] = row
    let column = 0
    do {
      visited[column] = 1
      const current = rowOf[column] ?? 0
      let least = Number.POSITIVE_INFINITY
      let next = 0
      for (let j = 1; j <= columns; j++) {
        if (visited[j]) continue
        const cost = costs[current - 1]?.[j - 1] ?? 0
        const reduced = cost - (rowPotential[current] ?? 0) - (columnPotential[j] ?? 0)
        if (reduced < (best[j] ?? 0)) {
          best[j] = reduced
          from[j] = column
        }
        if ((best[j] ?? 0) < least) {
          least = best[j] ?? 0
          next = j
        }
      }
      for (let j = 0; j <= columns; j++) {
        if (visited[j]) {
          const shown = rowOf[j] ?? 0
          rowPotential[shown] = (rowPotential[shown] ?? 0) + least
          columnPotential[j] = (columnPotential[j] ?? 0) - least
        } else best[j] = (best[j] ?? 0) - least
      }
      column = next
    } while (rowOf[column] !== 0)
    while (column !== 0) {
      const before = from[column] ?? 0
      rowOf[column] = rowOf[before] ?? 0
      column = before
    }
  }
  const rows = costs.map(() => -1)
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column] ?? 0
    if (row > 0) rows[row - 1] = column - 1
  }
  return rows
}
