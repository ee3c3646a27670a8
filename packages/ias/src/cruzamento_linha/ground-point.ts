import { type Box, footOf, type Point } from '../geometry.ts'

/** Follows where one object touches the ground, also while a part of it is cut off by the picture's border or hidden. */
export interface GroundPoint {
  /** The next sighting. Gives the point; it may lie outside the picture. */
  follow(box: Box, streamMs: number): Point
  /** The object's size when all of it is seen, as fractions of the frame. */
  size(): { readonly w: number; readonly h: number }
}

/** A box this near the picture's border is cut off by it. */
const CUT = 0.006
/** The size of what is seen as a whole is followed with this time constant: single boxes jitter. */
const SIZE_TAU_MS = 1_000
/** Lower than this share of its height, with the head where it was: the legs are hidden, by a car or a counter. */
const HIDDEN = 0.75
/** Whoever stays so low has sat down. */
const HIDDEN_TAU_MS = 5_000

/**
 * The middle of the box's lower side, with what is missing of the box added: the part of a car that has left the picture, legs behind
 * a counter. Without that the point jumps by half an object when nothing has moved.
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
