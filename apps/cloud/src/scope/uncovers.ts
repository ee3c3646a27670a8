import { type Point, polygons } from '@vigia/ias/geometry'

type Zonas = Parameters<typeof polygons>[0]
type Segment = readonly [Point, Point]

/** Distance below which two points are one, as a fraction of the frame. */
const SAME = 1e-9

/**
 * Whether masks may show a part of the picture that they covered. Each polygon before must be unchanged, or lie within
 * one polygon after. A cover that several polygons share is not computed, and counts as uncovered.
 */
export function uncovers(before: Zonas, after: Zonas): boolean {
  const now = polygons(after)
  return polygons(before).some((old) => !now.some((one) => isSame(old, one) || (isSimple(one) && liesWithin(old, one))))
}

const isSame = (a: readonly Point[], b: readonly Point[]): boolean =>
  a.length === b.length && a.every((point, i) => point.x === b[i]?.x && point.y === b[i]?.y)

const edgesOf = (polygon: readonly Point[]): Segment[] =>
  polygon.map((point, i) => [point, polygon[(i + 1) % polygon.length] as Point])

/**
 * Whether no two edges touch except neighbours at their corner, so that the polygon has no hole. A closed outline
 * within such a polygon encloses nothing outside of it.
 */
function isSimple(polygon: readonly Point[]): boolean {
  const edges = edgesOf(polygon)
  return edges.every((edge, i) =>
    edges.every((other, j) => {
      const neighbours = i === j || (i + 1) % edges.length === j || (j + 1) % edges.length === i
      return neighbours || meetings(edge, other).length === 0
    }),
  )
}

/** Whether the outline of `inner` stays in `outer`: each piece between two meetings with its outline does. */
const liesWithin = (inner: readonly Point[], outer: readonly Point[]): boolean =>
  edgesOf(inner).every(([from, to]) => {
    const cuts = edgesOf(outer).flatMap((edge) => meetings([from, to], edge))
    const stops = [0, ...cuts, 1].sort((a, b) => a - b)
    const pieces = stops.slice(1).map((stop, i) => [stops[i] ?? 0, stop] as const)
    const middles = pieces.flatMap(([a, b]) => (b - a < SAME ? [] : [(a + b) / 2]))
    return [0, ...middles, 1].every((t) => isInside(along(from, to, t), outer))
  })

/**
 * Even-odd rule, with the border. `pointInPolygon` takes a wider border, by which many small changes would move a mask
 * away.
 */
function isInside(point: Point, polygon: readonly Point[]): boolean {
  let inside = false
  for (const [a, b] of edgesOf(polygon)) {
    if (isOn(point, a, b)) return true
    if (b.y > point.y === a.y > point.y) continue
    if (point.x < b.x + ((point.y - b.y) / (a.y - b.y)) * (a.x - b.x)) inside = !inside
  }
  return inside
}

function isOn(p: Point, a: Point, b: Point): boolean {
  const length2 = (b.x - a.x) ** 2 + (b.y - a.y) ** 2
  const t = length2 === 0 ? 0 : ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length2
  const nearest = along(a, b, Math.min(1, Math.max(0, t)))
  return Math.hypot(p.x - nearest.x, p.y - nearest.y) < SAME
}

const along = (from: Point, to: Point, t: number): Point => ({
  x: from.x + t * (to.x - from.x),
  y: from.y + t * (to.y - from.y),
})

/** Where `a` meets `b`, as fractions of `a`; for segments of one line, the ends of `b` on it. */
function meetings([p, q]: Segment, [r, s]: Segment): number[] {
  const d = { x: q.x - p.x, y: q.y - p.y }
  const e = { x: s.x - r.x, y: s.y - r.y }
  const cross = d.x * e.y - d.y * e.x
  const offset = { x: r.x - p.x, y: r.y - p.y }
  if (Math.abs(cross) < SAME * SAME) {
    const length2 = d.x * d.x + d.y * d.y
    if (length2 < SAME * SAME || Math.abs(offset.x * d.y - offset.y * d.x) > SAME) return []
    const ends = [r, s].map(({ x, y }) => ((x - p.x) * d.x + (y - p.y) * d.y) / length2)
    // The segments lie on one line: they overlap where an end of one is on the other.
    const overlap = Math.max(...ends) >= -SAME && Math.min(...ends) <= 1 + SAME
    return overlap ? ends.map((t) => Math.min(1, Math.max(0, t))) : []
  }
  const t = (offset.x * e.y - offset.y * e.x) / cross
  const u = (offset.x * d.y - offset.y * d.x) / cross
  return t >= -SAME && t <= 1 + SAME && u >= -SAME && u <= 1 + SAME ? [Math.min(1, Math.max(0, t))] : []
}
