import type { Zonas } from '@vigia/contracts/geometria'

/** Covered columns of each row: pairs of the first column and the one after the last. */
export type MaskSpans = readonly (readonly number[])[]

interface Grid {
  readonly columns: number
  readonly rows: number
  /** Size of the whole picture in cells; a fraction where a cell of chroma covers half a pixel less. */
  readonly width: number
  readonly height: number
}

/** Lines of a row at which the outline is tested, as fractions of the row. */
const LINES = [0, 0.25, 0.5, 0.75, 0.999]

interface Edge {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

/** `[x1, y1, x2, y2, …]`, in fractions of the picture. */
type Outline = readonly number[]

/** The outlines of polygons in either form of `zonas`. */
export const outlinesOf = (polygons: Zonas): readonly Outline[] =>
  polygons.length > 0 && polygons.every(({ length }) => length === 2) ? [polygons.flat()] : polygons

/** Edges of each outline, in cells. */
const edgesOf = (outlines: readonly Outline[], { width, height }: Grid): Edge[][] =>
  outlines.map((flat) => {
    const count = Math.floor(flat.length / 2)
    const at = (i: number) => ({ x: (flat[2 * i] ?? 0) * width, y: (flat[2 * i + 1] ?? 0) * height })
    return Array.from({ length: count }, (_, i) => {
      const [from, to] = [at(i), at((i + 1) % count)]
      return { x1: from.x, y1: from.y, x2: to.x, y2: to.y }
    })
  })

/** Spans of one outline on the line `y`. An outline that crosses itself covers its overlap too (non-zero winding). */
function spansAt(edges: readonly Edge[], y: number): [number, number][] {
  const crossings = edges
    .filter(({ y1, y2 }) => y1 <= y !== y2 <= y)
    .map(({ x1, y1, x2, y2 }) => ({ x: x1 + ((y - y1) / (y2 - y1)) * (x2 - x1), turn: y1 < y2 ? 1 : -1 }))
    .sort((a, b) => a.x - b.x)
  const spans: [number, number][] = []
  let winding = 0
  let from = 0
  for (const { x, turn } of crossings) {
    if (winding === 0) from = x
    winding += turn
    if (winding === 0) spans.push([from, x])
  }
  return spans
}

/** Joins spans that touch. */
function joined(spans: readonly [number, number][]): number[] {
  const flat: number[] = []
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const end = flat.at(-1)
    if (end !== undefined && from <= end) flat[flat.length - 1] = Math.max(end, to)
    else flat.push(from, to)
  }
  return flat
}

/** The cells of `grid` that the outlines touch. A cell that is covered in part counts as covered. */
export function maskSpans(outlines: readonly Outline[], grid: Grid): MaskSpans {
  const edges = edgesOf(outlines, grid)
  const whole = ([from, to]: [number, number]): [number, number] => [
    Math.max(0, Math.floor(from)),
    Math.min(grid.columns, Math.ceil(to)),
  ]
  return Array.from({ length: grid.rows }, (_, row) => {
    const spans = edges.flatMap((outline) => LINES.flatMap((line) => spansAt(outline, row + line)))
    return joined(spans.map(whole).filter(([from, to]) => from < to))
  })
}
