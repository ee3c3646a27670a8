import { around, type Box } from '@vigia/ias/geometry'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Of packages/analysis (frame-pictures.ts): surroundings of the box on each side, and the widest JPEGs in pixels. */
const MARGIN = 0.25
const CROP_WIDTH = 800
const FRAME_WIDTH = 1280
/** Rounding of the edge to whole pixels, on both sides. */
const SLACK_PX = 3

/**
 * Returns the part of the frame that a crop shows, in fractions; null: unknown. The edge cuts around the first box, or
 * around all. The sizes of both pictures decide, so that boxes are never placed by a rule that another release had.
 */
export function placeCrop(caixas: readonly Box[], crop: Size, frame: Size): Box | null {
  const [first] = caixas
  const parts = first ? [withMargin(first), withMargin(around(caixas)), whole] : [whole]
  return parts.find((part) => fits(part, crop, frame)) ?? null
}

const whole: Box = { x: 0, y: 0, w: 1, h: 1 }

function fits(part: Box, crop: Size, frame: Size): boolean {
  const width = part.w * frame.width
  const height = part.h * frame.height
  const limit = part === whole ? FRAME_WIDTH : CROP_WIDTH
  // A frame of the widest size may have been scaled down, so that its crop has more pixels than it shows here.
  const scale = frame.width < FRAME_WIDTH ? Math.min(1, limit / width) : crop.width / width
  if (scale > 1 && crop.width > limit) return false
  const near = (one: number, other: number) => Math.abs(one - other) <= SLACK_PX * Math.max(1, scale)
  return (
    scale >= Math.min(1, limit / width) - 0.01 && near(width * scale, crop.width) && near(height * scale, crop.height)
  )
}

function withMargin({ x, y, w, h }: Box): Box {
  const left = Math.max(0, x - w * MARGIN)
  const top = Math.max(0, y - h * MARGIN)
  return {
    x: left,
    y: top,
    w: Math.min(1, x + w * (1 + MARGIN)) - left,
    h: Math.min(1, y + h * (1 + MARGIN)) - top,
  }
}
