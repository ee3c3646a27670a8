import { type Box, onPictureBorder, type Point } from '../geometry.ts'
import { createGroundPoint } from './ground-point.ts'

/**
 * `ab`: from the left to the right of the arrow from the line's first point to its second, as seen on the picture. On an arrow that points
 * right, left is above it; on one that points up, left is left; on one that points down, left is the picture's right side.
 */
export type Direction = 'ab' | 'ba'

/** Follows one object past a line. */
export interface LineCrossing {
  /** The next sighting. Gives the direction in the sighting that makes it a crossing, else null. */
  follow(box: Box, streamMs: number): Direction | null
  /** Distance from the line in widths of the object; Infinity before the first sighting. */
  away(): number
}

/** An object's height counts as this many of its widths: the proportions of a person. */
const HEIGHT_IN_WIDTHS = 2.5
/** Clearly on one side: so far from the line, in widths. Half a width must be gone through for a crossing; no box shakes by that much. */
const CLEAR = 0.25
/** Two clear sightings beyond the line make a crossing, one is enough from so far beyond it: fast objects are seen seldom. */
const SIGHTINGS = 2
const FAR = 0.75

/**
 * A crossing goes from clearly on one side to clearly on the other, through the line itself and not past its ends, however long the
 * object stops on it. Who turns back on the line has not crossed; who comes back later has crossed again, the other way. Where an object is
 * seen first is where it begins: what appears beyond the line has not crossed it. An end of the line on the picture's border has no beyond.
 */
export function createLineCrossing([from, to]: readonly [Point, Point]): LineCrossing {
  const ground = createGroundPoint()
  const open = { from: onPictureBorder(from), to: onPictureBorder(to) }
  /** Side on which it was clearly seen last: 1 right of the arrow, -1 left, 0 not known. */
  let side = 0
  let beyond = 0
  /** Whether its way went through the line, not past it, when it changed sides last. */
  let through = false
  let last: { point: Point; cross: number } | null = null
  let away = Number.POSITIVE_INFINITY

  /** Positive: right of the arrow. y grows downwards. */
  const crossOf = (p: Point) => (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x)

  /** Whether the way from `a` to `b`, on different sides, goes through the line. */
  const goesThrough = (a: { point: Point; cross: number }, b: { point: Point; cross: number }) => {
    const share = a.cross / (a.cross - b.cross)
    const at = { x: a.point.x + share * (b.point.x - a.point.x), y: a.point.y + share * (b.point.y - a.point.y) }
    const along =
      ((at.x - from.x) * (to.x - from.x) + (at.y - from.y) * (to.y - from.y)) /
      ((to.x - from.x) ** 2 + (to.y - from.y) ** 2)
    return (open.from || along >= 0) && (open.to || along <= 1)
  }

  return {
    follow(box, streamMs) {
      const point = ground.follow(box, streamMs)
      const { w, h } = ground.size()
      const now = { point, cross: crossOf(point) }
      // Exactly on the line is still the side that it came from.
      if (now.cross === 0) return null
      if (last && Math.sign(last.cross) !== Math.sign(now.cross)) through = goesThrough(last, now)
      last = now

      // Distance from the line where widths count 1 and heights HEIGHT_IN_WIDTHS: the cross product, by the line's length there.
      const [unitX, unitY] = [Math.max(w, 1e-6), Math.max(h, 1e-6) / HEIGHT_IN_WIDTHS]
      const length = Math.hypot((to.x - from.x) / unitX, (to.y - from.y) / unitY)
      away = Math.abs(now.cross) / (unitX * unitY * length)
      const nowSide = Math.sign(now.cross)
      if (away < CLEAR) return null
      if (side === 0 || side === nowSide) {
        side = nowSide
        beyond = 0
        return null
      }
      beyond++
      if (beyond < SIGHTINGS && away < FAR) return null
      side = nowSide
      beyond = 0
      return through ? (nowSide > 0 ? 'ab' : 'ba') : null
    },
    away: () => away,
  }
}
