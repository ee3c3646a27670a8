import { type Box, onPictureBorder, type Point } from './geometry.ts'
import { createGroundPoint } from './ground-point.ts'

/**
 * `ab`: from left to right of the arrow from the line's first point to its second, in the picture. The left side of an
 * arrow to the right is above it; that of a downward arrow is the right side of the picture.
 */
export type Direction = 'ab' | 'ba'

export type Side = -1 | 0 | 1

/** Detects crossings of a line by one object. */
export interface LineCrossing {
  /** Adds a detection. Returns the direction if this detection completes a crossing, else null. */
  follow(box: Box, streamMs: number): Direction | null
  /** Distance from the line in widths of the object; Infinity before the first detection. */
  away(): number
  /** Side of the last detection: 1 right of the arrow, -1 left, 0 before the first detection. */
  side(): Side
}

/** Height of an object in its own widths: the proportions of a person. */
const HEIGHT_IN_WIDTHS = 2.5
/**
 * Distance from the line that is clearly on one side, in widths. A crossing covers half a width, more than the jitter
 * of a box.
 */
const CLEAR = 0.25
/**
 * Detections clearly beyond the line that complete a crossing. At a distance of FAR widths one detection is enough,
 * because fast objects have few.
 */
const DETECTIONS = 2
const FAR = 0.75

/**
 * A crossing goes from clearly on one side to clearly on the other side. It passes between the ends of the line; a stop
 * on the line does not matter. An object that turns back on the line has not crossed. An object that returns later
 * crosses again in the other direction. An object starts at its first detection: an object that appears beyond the line
 * has not crossed it. An end of the line on the picture's border extends beyond the picture.
 */
export function createLineCrossing([from, to]: readonly [Point, Point]): LineCrossing {
  const ground = createGroundPoint()
  const open = { from: onPictureBorder(from), to: onPictureBorder(to) }
  /** Last clear side: 1 right of the arrow, -1 left, 0 unknown. */
  let side = 0
  let beyond = 0
  /** Whether the last change of sides passed between the ends of the line. */
  let through = false
  let last: { point: Point; cross: number } | null = null
  let away = Number.POSITIVE_INFINITY

  /** Positive: right of the arrow. y grows downwards. */
  const crossOf = (p: Point) => (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x)

  /** Whether the segment from `a` to `b`, on different sides, passes between the ends of the line. */
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
      // A point exactly on the line belongs to the previous side.
      if (now.cross === 0) return null
      if (last && Math.sign(last.cross) !== Math.sign(now.cross)) through = goesThrough(last, now)
      last = now

      // Distance in units where a width is 1 and a height is HEIGHT_IN_WIDTHS: the cross product divided by the line's
      // length in these units.
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
      if (beyond < DETECTIONS && away < FAR) return null
      side = nowSide
      beyond = 0
      return through ? (nowSide > 0 ? 'ab' : 'ba') : null
    },
    away: () => away,
    side: () => (last === null ? 0 : last.cross > 0 ? 1 : -1),
  }
}
