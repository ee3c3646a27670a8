import type { Point, TextBox } from './picture.ts'

/** Probabilities of text, row by row, as the detector yields them. */
export interface TextMap {
  readonly width: number
  readonly height: number
  readonly data: Float32Array
}

/** Values of PP-OCRv4's own post-processing (PaddleOCR, `DBPostProcess`). */
const PIXEL_MIN = 0.3
const BOX_MIN = 0.5
const UNCLIP = 1.6
const SIDE_MIN_PX = 3
const BOXES_MAX = 200

/**
 * Boxes of the text regions of a map, in its pixels. The detector marks the core of each line, so each box grows by the
 * rule of Differentiable Binarization (Liao et al. 2020): area x ratio / perimeter.
 */
export function textBoxes(map: TextMap): TextBox[] {
  const { width, height, data } = map
  const seen = new Uint8Array(width * height)
  const boxes: TextBox[] = []
  const stack: number[] = []
  for (let start = 0; start < seen.length && boxes.length < BOXES_MAX; start++) {
    if (seen[start] === 1 || (data[start] ?? 0) < PIXEL_MIN) continue
    const pixels: Point[] = []
    let sum = 0
    stack.push(start)
    seen[start] = 1
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)]
      pixels.push({ x, y })
      sum += data[at] ?? 0
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx
          if (seen[next] === 1 || (data[next] ?? 0) < PIXEL_MIN) continue
          seen[next] = 1
          stack.push(next)
        }
    }
    const score = sum / pixels.length
    if (score < BOX_MIN) continue
    const box = smallestRectangle(hullOf(pixels))
    if (Math.min(box.width, box.height) < SIDE_MIN_PX) continue
    const grow = (2 * (box.width * box.height * UNCLIP)) / (2 * (box.width + box.height))
    boxes.push({ ...box, width: box.width + grow, height: box.height + grow, score })
  }
  return boxes
}

const cross = (o: Point, a: Point, b: Point): number => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x)

/** Convex hull of pixels, which cover their whole square (Andrew's monotone chain). */
function hullOf(pixels: readonly Point[]): Point[] {
  const rows = new Map<number, [number, number]>()
  for (const { x, y } of pixels) {
    const row = rows.get(y)
    rows.set(y, row ? [Math.min(row[0], x), Math.max(row[1], x)] : [x, x])
  }
  const points = [...rows].flatMap(([y, [from, to]]) => [
    ...[from, to + 1].flatMap((x) => [
      { x, y },
      { x, y: y + 1 },
    ]),
  ])
  points.sort((a, b) => a.x - b.x || a.y - b.y)
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = []
    for (const point of ordered) {
      for (;;) {
        const [before, last] = chain.slice(-2)
        if (!before || !last || cross(before, last, point) > 0) break
        chain.pop()
      }
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(points), ...half(points.toReversed())]
}

/** Smallest rectangle around a convex hull: one of its sides lies on a side of the hull (Freeman and Shapira 1975). */
function smallestRectangle(hull: readonly Point[]): Omit<TextBox, 'score'> {
  let best: Omit<TextBox, 'score'> | null = null
  for (const [index, a] of hull.entries()) {
    const b = hull[(index + 1) % hull.length] ?? a
    const angle = Math.atan2(b.y - a.y, b.x - a.x)
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const us = hull.map(({ x, y }) => x * cos + y * sin)
    const vs = hull.map(({ x, y }) => y * cos - x * sin)
    const [u0, u1, v0, v1] = [Math.min(...us), Math.max(...us), Math.min(...vs), Math.max(...vs)]
    const [u, v] = [(u0 + u1) / 2, (v0 + v1) / 2]
    const box = { width: u1 - u0, height: v1 - v0, angle, centre: { x: u * cos - v * sin, y: u * sin + v * cos } }
    if (!best || box.width * box.height < best.width * best.height) best = box
  }
  return upright(best ?? { centre: { x: 0, y: 0 }, width: 0, height: 0, angle: 0 })
}

/** The same rectangle with an angle within 45 degrees of the horizontal: text of a plate is not turned further. */
function upright(box: Omit<TextBox, 'score'>): Omit<TextBox, 'score'> {
  const quarter = Math.PI / 2
  const turns = Math.round(box.angle / quarter)
  const angle = box.angle - turns * quarter
  return turns % 2 === 0 ? { ...box, angle } : { ...box, angle, width: box.height, height: box.width }
}
