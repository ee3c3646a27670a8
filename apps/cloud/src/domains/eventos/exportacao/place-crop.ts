import { CROP_WIDTH, FRAME_WIDTH, forPeople, PEOPLE_PX, withSurroundings } from '@vigia/ias/crop-part'
import { around, type Box } from '@vigia/ias/geometry'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Rounding of the edge to whole pixels, on both sides. */
const SLACK_PX = 3

/**
 * Returns the part of the frame that a crop shows, in fractions; null: unknown. The edge cuts around the first box, or
 * around all. The sizes of both pictures decide, so that boxes are never placed by a rule that another release had.
 */
export function placeCrop(caixas: readonly Box[], crop: Size, frame: Size): Box | null {
  const [first] = caixas
  const cut = first ? [withSurroundings(first), withSurroundings(around(caixas))] : []
  const parts = [...cut, ...cut.map((part) => forPeople(part, frame.height)), whole]
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
  const isPlain = crop.height > PEOPLE_PX + SLACK_PX && crop.width <= CROP_WIDTH
  return isPlain && scale >= usual - 0.01 && near(height * scale, crop.height, scale)
}
