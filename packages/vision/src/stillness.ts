import type { Box } from '@vigia/ias/geometry'

export interface Stillness {
  /** The object was seen here. Calls come in order of time, stream ms. */
  add(atMs: number, box: Box): void
  /** For how long it had stood where it stands when it was last seen, ms; 0: it moves, or it has not stood for long enough to tell. */
  stillMs(): number
  /** The place where it stands; null while `stillMs` is 0. */
  place(): Box | null
}

/** Detectors' boxes shake: the edges are smoothed with this time constant. */
const SMOOTH_TAU_MS = 600
/** It has come to rest when it stayed this near for this long; someone far away who walks towards the camera hardly moves in less. */
const SETTLE_MS = 2_000
const NEAR = { x: 0.15, y: 0.08 }
/** It moves again when it is further away than this. Both are fractions of its own width and height. */
const FAR = { x: 0.35, y: 0.2 }

/**
 * Tells whether an object stands. It moved along an axis only when both of its edges there did: a passer-by who hides a side of
 * a parked car, or someone who sits down, moves one. Pure.
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

/** How far the edge that moved less has moved, as a fraction of the length. */
const shift = (from: number, length: number, to: number, newLength: number): number =>
  Math.min(Math.abs(to - from), Math.abs(to + newLength - from - length)) / Math.max(length, 1e-6)
