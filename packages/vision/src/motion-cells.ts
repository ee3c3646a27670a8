import type { Box } from '@vigia/ias/geometry'

/** Square cells over a picture; cells at the right and lower border may be smaller. */
export interface CellGrid {
  readonly width: number
  readonly height: number
  /** Side of a cell, in pixels. */
  readonly size: number
  readonly columns: number
  readonly rows: number
  readonly count: number
  /** Area of the cell, in pixels. */
  area(cell: number): number
}

/** `across`: approximate number of cells per row; the side of a cell has at least 2 pixels. */
export function createCellGrid(width: number, height: number, across: number): CellGrid {
  const size = Math.max(2, Math.round(width / across))
  const columns = Math.ceil(width / size)
  const rows = Math.ceil(height / size)
  const extent = (index: number, limit: number) => Math.min(size, limit - index * size)
  const area = (cell: number) => extent(cell % columns, width) * extent(Math.floor(cell / columns), height)
  return { width, height, size, columns, rows, count: columns * rows, area }
}

/** Mean over the 3x3 cells around each cell, fewer at the border; `out` has the size of `values`. */
export function meanAround(values: Float32Array, { columns, rows }: CellGrid, out: Float32Array): void {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0
      let count = 0
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
          sum += values[y * columns + x] as number
          count++
        }
      }
      out[row * columns + column] = sum / count
    }
  }
}

/** The tile number of each cell in a division of the picture into `across` by `down` tiles. */
export const tilesOf = ({ columns, rows, count }: CellGrid, across: number, down: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, cell) => {
    const column = Math.floor(((cell % columns) * across) / columns)
    return Math.floor((Math.floor(cell / columns) * down) / rows) * across + column
  })

/** Fraction of the picture's area in the marked cells, 0–1. */
export function markedFraction(mask: Uint8Array, grid: CellGrid): number {
  let area = 0
  for (let cell = 0; cell < grid.count; cell++) if (mask[cell]) area += grid.area(cell)
  return area / (grid.width * grid.height)
}

/** Fraction of the box (fractions of the picture) in the marked cells, 0–1. */
export function markedOverlap(mask: Uint8Array, { width, height, size, columns }: CellGrid, box: Box): number {
  const [left, right] = [Math.max(0, box.x * width), Math.min(width, (box.x + box.w) * width)]
  const [top, bottom] = [Math.max(0, box.y * height), Math.min(height, (box.y + box.h) * height)]
  if (right <= left || bottom <= top) return 0
  let shared = 0
  for (let row = Math.floor(top / size); row * size < bottom; row++) {
    const high = Math.min(bottom, (row + 1) * size) - Math.max(top, row * size)
    for (let column = Math.floor(left / size); column * size < right; column++) {
      if (!mask[row * columns + column]) continue
      shared += high * (Math.min(right, (column + 1) * size) - Math.max(left, column * size))
    }
  }
  return shared / ((right - left) * (bottom - top))
}

/**
 * Boxes (fractions of the picture) around the marked cells; cells with at most `gap` empty cells between them share a
 * box. Returns at most `most` boxes, the one with the most marked cells first.
 */
export function markedRegions(mask: Uint8Array, grid: CellGrid, gap: number, most: number): Box[] {
  const { columns, rows, size, width, height } = grid
  const seen = new Uint8Array(grid.count)
  const found: { cells: number; left: number; top: number; right: number; bottom: number }[] = []
  for (let start = 0; start < grid.count; start++) {
    if (!mask[start] || seen[start]) continue
    const region = { cells: 0, left: columns, top: rows, right: 0, bottom: 0 }
    const open = [start]
    seen[start] = 1
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      const column = cell % columns
      const row = (cell - column) / columns
      region.cells++
      region.left = Math.min(region.left, column)
      region.right = Math.max(region.right, column + 1)
      region.top = Math.min(region.top, row)
      region.bottom = Math.max(region.bottom, row + 1)
      for (let y = Math.max(0, row - gap - 1); y <= Math.min(rows - 1, row + gap + 1); y++) {
        for (let x = Math.max(0, column - gap - 1); x <= Math.min(columns - 1, column + gap + 1); x++) {
          const other = y * columns + x
          if (!mask[other] || seen[other]) continue
          seen[other] = 1
          open.push(other)
        }
      }
    }
    found.push(region)
  }
  found.sort((a, b) => b.cells - a.cells)
  return found.slice(0, most).map(({ left, top, right, bottom }) => ({
    x: (left * size) / width,
    y: (top * size) / height,
    w: (Math.min(width, right * size) - left * size) / width,
    h: (Math.min(height, bottom * size) - top * size) / height,
  }))
}
