import { type Box, footOf, type Point } from './geometry.ts'

/**
 * Point where one object touches the ground, also while the picture's border or an obstacle hides a part of the object.
 */
export interface GroundPoint {
  /** Adds a detection. Returns the point, which may lie outside the picture. */
  follow(box: Box, streamMs: number): Point
  /** Size of the whole object, in fractions of the frame. */
  size(): { readonly w: number; readonly h: number }
}

/** Distance to the picture's border below which the border cuts the box off, as a fraction of the frame. */
const CUT = 0.006
/** Time constant of the size of a fully visible object: single boxes jitter. */
const SIZE_TAU_MS = 1_000
/**
 * Below this share of the object's height, with the head at its old position, the legs are hidden (by a car or a
 * counter).
 */
const HIDDEN = 0.75
/** Time constant of the size of a person with hidden legs: a person who stays low has sat down. */
const HIDDEN_TAU_MS = 5_000

/**
 * The middle of the lower side of the completed box. The missing part may be the rear of a car outside the picture, or
 * legs behind a counter. Without completion the point jumps by half an object without any movement.
 */
export function createGroundPoint(): GroundPoint {
  let size: { w: number; h: number } | null = null
  let whole: Box | null = null
  let lastMs = 0

  return {
    follow(box, streamMs) {
      const elapsed = Math.max(0, streamMs - lastMs)
      lastMs = streamMs
      if (!size || !whole) {
        size = { w: box.w, h: box.h }
        whole = box
      }
      const [left, right] = [box.x <= CUT, box.x + box.w >= 1 - CUT]
      const [top, bottom] = [box.y <= CUT, box.y + box.h >= 1 - CUT]
      const shrunk = !top && !bottom && box.h < HIDDEN * size.h
      const legsHidden = shrunk && Math.abs(bottomOf(box) - bottomOf(whole)) > Math.abs(box.y - whole.y)
      if (!shrunk) whole = box

      size = {
        w: left || right ? Math.max(size.w, box.w) : towards(size.w, box.w, elapsed, SIZE_TAU_MS),
        h:
          top || bottom
            ? Math.max(size.h, box.h)
            : towards(size.h, box.h, elapsed, legsHidden ? HIDDEN_TAU_MS : SIZE_TAU_MS),
      }
      const foot = footOf(box)
      return {
        x: left === right ? foot.x : left ? box.x + box.w - size.w / 2 : box.x + size.w / 2,
        y: legsHidden || (bottom && !top) ? box.y + size.h : foot.y,
      }
    },
    size: () => size ?? { w: 0, h: 0 },
  }
}

const bottomOf = (box: Box): number => box.y + box.h
const towards = (from: number, to: number, elapsedMs: number, tauMs: number): number =>
  to + (from - to) * Math.exp(-elapsedMs / tauMs)
