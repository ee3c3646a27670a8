import { around, type Box } from '@vigia/ias/geometry'

export interface Size {
  readonly width: number
  readonly height: number
}

/** As in packages/analysis (frame-pictures.ts): surroundings of the box on each side, the widest JPEGs in pixels. */
const MARGIN = 0.25
const CROP_WIDTH = 800
const FRAME_WIDTH = 1280
/** Minimum height of a crop in pixels of the frame; releases before had none. */
const CROP_HEIGHT_MIN = 160
/** Rounding of the edge to whole pixels, on both sides. */
const SLACK_PX = 3

/**
 * Returns the part of the frame that a crop shows, in fractions; null: unknown. The edge cuts around the first box, or
 * around all. The sizes of both pictures decide, so that boxes are never placed by a rule that another release had.
 */
export function placeCrop(caixas: readonly Box[], crop: Size, frame: Size): Box | null {
  const [first] = caixas
  const cut = first ? [withMargin(first), withMargin(around(caixas))] : []
  const parts = [...cut, ...cut.map((part) => widened(part, frame)), whole]
  return parts.find((part) => fits(part, crop, frame)) ?? null
}

const whole: Box = { x: 0, y: 0, w: 1, h: 1 }

function fits(part: Box, crop: Size, frame: Size): boolean {
  const width = part.w * frame.width
  const height = part.h * frame.height
  const near = (one: number, other: number, scale: number) => Math.abs(one - other) <= SLACK_PX * Math.max(1, scale)
  if (part === whole) return near(width, crop.width, 1) && near(height, crop.height, 1)
  const usual = Math.min(1, CROP_WIDTH / width)
  if (frame.width < FRAME_WIDTH) return near(width * usual, crop.width, 1) && near(height * usual, crop.height, 1)
  // The frame may have been scaled down, so that its crop has more pixels than it shows here. A crop of the least
  // height may then show more than the box with its surroundings.
  const scale = crop.width / width
  const isPlain = crop.height > CROP_HEIGHT_MIN + SLACK_PX && crop.width <= CROP_WIDTH
  return isPlain && scale >= usual - 0.01 && near(height * scale, crop.height, scale)
}

/** The part in its aspect ratio, at least of the least height, moved into the frame. */
function widened({ x, y, w, h }: Box, frame: Size): Box {
  const factor = Math.max(1, CROP_HEIGHT_MIN / Math.max(1, h * frame.height))
  const [width, height] = [Math.min(1, w * factor), Math.min(1, h * factor)]
  return { x: startOf(x + w / 2, width), y: startOf(y + h / 2, height), w: width, h: height }
}

/** Start of a span around `middle` within 0…1. */
const startOf = (middle: number, length: number): number => Math.min(1 - length, Math.max(0, middle - length / 2))

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
