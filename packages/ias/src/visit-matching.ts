import { areaOf, type Box, iou } from './geometry.ts'
import type { ObservedTrack } from './observation.ts'

/** Position and speed of a visit at its last detection. Lengths are fractions of the frame; speeds are per second. */
export interface LastDetection {
  readonly box: Box
  readonly vx: number
  readonly vy: number
  readonly seenStreamMs: number
}

export interface MatchRules {
  /** Longest time without a detection after which the same spot still matches. */
  readonly sameSpotMs: number
  /** Height of such an object in its own widths. */
  readonly heightInWidths: number
  /** Position and time come from before a restart: no track was followed in between. */
  readonly restored: boolean
}

/** Default of `sameSpotMs`: a person. Objects with a longer time have settled: they lie still or are parked. */
export const SAME_SPOT_MS = 30_000
/** Lowest overlap (intersection over union) that counts as the same spot, up to SAME_SPOT_MS and after it. */
const SAME_SPOT_OVERLAP = 0.3
const LATE_SPOT_OVERLAP = 0.5
/** Longest time without a detection after which a box within reach matches. */
export const NEARBY_MS = 10_000
/** Reach in box widths: at once, added per second, at most. */
const REACH = 1
const REACH_PER_S = 1.5
const REACH_MAX = 4
/** Reach after a restart: a brisk walk of 2 m/s by a person half a metre wide. */
const RESTORED_REACH_PER_S = 4
const RESTORED_REACH_MAX = 8
/** Largest ratio between the areas of two boxes of one object. */
const SIZE_RATIO_MAX = 2.5
/** Longest linear extrapolation of the position. */
const EXTRAPOLATE_MAX_S = 2
/** Part of the trail that gives the speed of a new visit. */
const SPEED_WINDOW_MS = 1_000
/** Longest gap in ms after which a leaving object still matches. */
const LEFT_MS = 1_000
/** Distance from the border of the frame at which a box counts as cut off. */
const BORDER = 0.02
/** Lowest speed towards the border, in own widths or heights a second, that counts as leaving. */
const LEAVING_PER_S = 0.25

/**
 * Distance in box widths between `box` and the position where the object of `last` may be at `streamMs`. 0 means the
 * same spot; null means too far, too late or another size.
 */
export function matchDistance(last: LastDetection, box: Box, streamMs: number, rules: MatchRules): number | null {
  const gapMs = streamMs - last.seenStreamMs
  const sizeRatio = areaOf(box) / Math.max(areaOf(last.box), 1e-9)
  if (sizeRatio > SIZE_RATIO_MAX || sizeRatio < 1 / SIZE_RATIO_MAX) return null
  if (isLeaving(last) && gapMs > LEFT_MS) return null
  const overlapMin = gapMs <= SAME_SPOT_MS ? SAME_SPOT_OVERLAP : LATE_SPOT_OVERLAP
  if (gapMs <= rules.sameSpotMs && iou(last.box, box) >= overlapMin) return 0
  if (gapMs > NEARBY_MS) return null
  const aheadS = Math.min(gapMs / 1000, EXTRAPOLATE_MAX_S)
  const expected = { ...last.box, x: last.box.x + last.vx * aheadS, y: last.box.y + last.vy * aheadS }
  const distance = Math.min(
    widthsBetween(last.box, box, rules.heightInWidths),
    widthsBetween(expected, box, rules.heightInWidths),
  )
  const far = rules.restored && rules.sameSpotMs <= SAME_SPOT_MS
  const [perS, max] = far ? [RESTORED_REACH_PER_S, RESTORED_REACH_MAX] : [REACH_PER_S, REACH_MAX]
  return distance <= Math.min(max, REACH + (perS * gapMs) / 1000) ? distance : null
}

/** Speed over the last second of the track's trail, in fractions of the frame a second; 0 without a trail. */
export function speedOf({ box, trail = [] }: ObservedTrack, streamMs: number): { vx: number; vy: number } {
  const from = trail.find(({ atMs }) => streamMs - atMs <= SPEED_WINDOW_MS && atMs < streamMs)
  if (!from) return { vx: 0, vy: 0 }
  const seconds = (streamMs - from.atMs) / 1000
  const { dx, dy } = displacement(from.box, box)
  return { vx: dx / seconds, vy: dy / seconds }
}

/** The mean of the old speed and that of the last step: one step alone jitters by more than a slow walk moves. */
export function smoothedSpeed(last: LastDetection, box: Box, streamMs: number): { vx: number; vy: number } {
  const seconds = (streamMs - last.seenStreamMs) / 1000
  if (seconds <= 0) return { vx: last.vx, vy: last.vy }
  const { dx, dy } = displacement(last.box, box)
  return { vx: (last.vx + dx / seconds) / 2, vy: (last.vy + dy / seconds) / 2 }
}

/** Movement between two boxes: of the centre, or of the opposite edge while the border of the frame cuts a box off. */
const displacement = (from: Box, to: Box) => ({
  dx: axisDisplacement([from.x, from.x + from.w], [to.x, to.x + to.w]),
  dy: axisDisplacement([from.y, from.y + from.h], [to.y, to.y + to.h]),
})

function axisDisplacement(from: readonly [number, number], to: readonly [number, number]): number {
  if (to[1] >= 1 - BORDER || from[1] >= 1 - BORDER) return to[0] - from[0]
  if (to[0] <= BORDER || from[0] <= BORDER) return to[1] - from[1]
  return (to[0] + to[1] - from[0] - from[1]) / 2
}

/** Distance between the centres, in box widths. */
function widthsBetween(a: Box, b: Box, heightInWidths: number): number {
  const dx = (centre(a).x - centre(b).x) / Math.max(a.w, b.w, 1e-6)
  const dy = (heightInWidths * (centre(a).y - centre(b).y)) / Math.max(a.h, b.h, 1e-6)
  return Math.hypot(dx, dy)
}

/** Whether the object was on its way out of the frame at the last detection. */
export function isLeaving({ box, vx, vy }: Pick<LastDetection, 'box' | 'vx' | 'vy'>): boolean {
  const right = box.x + box.w >= 1 - BORDER && vx > LEAVING_PER_S * box.w
  const left = box.x <= BORDER && vx < -LEAVING_PER_S * box.w
  const down = box.y + box.h >= 1 - BORDER && vy > LEAVING_PER_S * box.h
  const up = box.y <= BORDER && vy < -LEAVING_PER_S * box.h
  return right || left || down || up
}

/** Whether the border of the frame cuts the box off. */
export const isCutOff = ({ x, y, w, h }: Box): boolean =>
  x <= BORDER || y <= BORDER || x + w >= 1 - BORDER || y + h >= 1 - BORDER

const centre = (box: Box) => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 })
