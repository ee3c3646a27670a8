import type { Box } from './geometry.ts'

/** Surroundings in the crop on each side, as a fraction of the box. */
const MARGIN = 0.25
/** Minimum height of a picture for people, in pixels of the frame: below it the surroundings are not recognisable. */
export const PEOPLE_PX = 160
/** Widest crop, in pixels. */
export const CROP_WIDTH = 800
/** Widest picture of the whole frame, in pixels. */
export const FRAME_WIDTH = 1280

/** The box with its surroundings, within the frame. */
export function withSurroundings({ x, y, w, h }: Box): Box {
  const left = Math.max(0, x - w * MARGIN)
  const top = Math.max(0, y - h * MARGIN)
  return {
    x: left,
    y: top,
    w: Math.min(1, x + w * (1 + MARGIN)) - left,
    h: Math.min(1, y + h * (1 + MARGIN)) - top,
  }
}

/** The part enlarged in its aspect ratio to the minimum height, and moved into the frame. */
export function forPeople({ x, y, w, h }: Box, frameHeight: number): Box {
  const factor = Math.max(1, PEOPLE_PX / Math.max(1, h * frameHeight))
  const [width, height] = [Math.min(1, w * factor), Math.min(1, h * factor)]
  return { x: startOf(x + w / 2, width), y: startOf(y + h / 2, height), w: width, h: height }
}

/** Start of a span around `middle` within 0…1. */
const startOf = (middle: number, length: number): number => Math.min(1 - length, Math.max(0, middle - length / 2))
