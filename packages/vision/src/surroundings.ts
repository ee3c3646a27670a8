import type { Box } from '@vigia/ias/geometry'

/** Whole pixels of the frame. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Context {
  /** Side of the region as a multiple of the box's longer side. */
  readonly factor: number
  /** Minimum side of the region, in pixels: smaller regions only show blur. */
  readonly minSide: number
}

/**
 * The square region around a box (fractions of the frame) with its surroundings, moved into the frame. It is no square
 * only when the frame is too small.
 */
export function surroundings(box: Box, frame: { width: number; height: number }, { factor, minSide }: Context): Region {
  const longer = Math.max(box.w * frame.width, box.h * frame.height)
  const side = Math.round(Math.max(longer * factor, minSide))
  const [width, height] = [Math.min(side, frame.width), Math.min(side, frame.height)]
  const place = (centre: number, size: number, limit: number) =>
    Math.min(limit - size, Math.max(0, Math.round(centre * limit - size / 2)))
  return {
    left: place(box.x + box.w / 2, width, frame.width),
    top: place(box.y + box.h / 2, height, frame.height),
    width,
    height,
  }
}

/** Converts a box from fractions of the region to fractions of the whole frame. */
export const toFrame = <B extends Box>(box: B, region: Region, frame: { width: number; height: number }): B => ({
  ...box,
  x: (region.left + box.x * region.width) / frame.width,
  y: (region.top + box.y * region.height) / frame.height,
  w: (box.w * region.width) / frame.width,
  h: (box.h * region.height) / frame.height,
})
