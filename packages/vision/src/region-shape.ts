import type { Box } from '@vigia/ias/geometry'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Sizes of the frame and of the detector's picture, in pixels. */
export interface Shapes {
  readonly frame: Size
  readonly input: Size
}

/** Width of the largest region in the frame with the proportions of the detector's picture, pixels of the frame. */
export const widest = ({ frame, input }: Shapes): number =>
  Math.min(frame.width, (frame.height * input.width) / input.height)

/**
 * Width of the smallest region around `box` (fractions of the frame) with the proportions of the detector's picture,
 * pixels of the frame.
 */
export const narrowest = (box: Box, { frame, input }: Shapes): number =>
  Math.max(box.w * frame.width, (box.h * frame.height * input.width) / input.height)

/**
 * The region around `box` with `width` pixels of the frame and the proportions of the detector's picture, moved into
 * the frame. Fractions of the frame.
 */
export function regionAround(box: Box, width: number, { frame, input }: Shapes): Box {
  const most = Math.min(width, widest({ frame, input }))
  const w = most / frame.width
  const h = (most * input.height) / input.width / frame.height
  const within = (middle: number, length: number) => Math.min(1 - length, Math.max(0, middle - length / 2))
  return { x: within(box.x + box.w / 2, w), y: within(box.y + box.h / 2, h), w, h }
}

/** The smallest box around both. */
export function around(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y }
}

/** Whether `inner` lies in `outer`, with a tolerance for rounding. */
export const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x - 1e-9 &&
  inner.y >= outer.y - 1e-9 &&
  inner.x + inner.w <= outer.x + outer.w + 1e-9 &&
  inner.y + inner.h <= outer.y + outer.h + 1e-9
