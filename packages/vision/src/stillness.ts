import type { Box } from '@vigia/ias/geometry'

export interface Stillness {
  /** Adds a detection of the object. Times must not decrease; stream ms. */
  add(atMs: number, box: Box): void
  /** Time at rest up to the last detection; 0: the object moves, or has rested for less than SETTLE_MS. */
  stillMs(): number
  /** The box at rest; null while `stillMs` is 0. */
  place(): Box | null
}

/** Time constant that smooths the jitter of the box edges. */
const SMOOTH_TAU_MS = 600
/**
 * The object rests after SETTLE_MS within NEAR. In a shorter time a distant person who walks towards the camera hardly
 * moves.
 */
const SETTLE_MS = 2_000
const NEAR = { x: 0.15, y: 0.08 }
/** The object moves again beyond this distance. NEAR and FAR are fractions of the object's width and height. */
const FAR = { x: 0.35, y: 0.2 }

/**
 * Detects whether an object stands still. An object moves along an axis only when both of its edges move. A passer-by
 * before a parked car, or a person who sits down, moves only one edge. Pure.
 */
export function createStillness(): Stillness {
  let smooth: Box | null = null
  let anchor: Box | null = null
  let sinceMs = 0
  let lastMs = 0
  let stands = false

  function follow(box: Box, elapsedMs: number): Box {
    if (!smooth) return box
    const gain = 1 - Math.exp(-elapsedMs / SMOOTH_TAU_MS)
    const step = (from: number, to: number) => from + (to - from) * gain
    return { x: step(smooth.x, box.x), y: step(smooth.y, box.y), w: step(smooth.w, box.w), h: step(smooth.h, box.h) }
  }

  return {
    add(atMs, box) {
      smooth = follow(box, atMs - lastMs)
      lastMs = atMs
      if (!anchor || moved(anchor, smooth, stands ? FAR : NEAR)) {
        anchor = smooth
        sinceMs = atMs
        stands = false
      }
      if (atMs - sinceMs >= SETTLE_MS) stands = true
    },
    stillMs: () => (stands ? lastMs - sinceMs : 0),
    place: () => (stands ? anchor : null),
  }
}

const moved = (from: Box, to: Box, limit: { readonly x: number; readonly y: number }): boolean =>
  shift(from.x, from.w, to.x, to.w) > limit.x || shift(from.y, from.h, to.y, to.h) > limit.y

/** Movement of the edge that moved less, as a fraction of the length. */
const shift = (from: number, length: number, to: number, newLength: number): number =>
  Math.min(Math.abs(to - from), Math.abs(to + newLength - from - length)) / Math.max(length, 1e-6)
