import { type Box, clip } from '@vigia/ias/geometry'
import { cornersOf } from './picture.ts'
import type { PlateFound } from './read-plates.ts'

/** Surroundings of the vehicle in its picture on each side, as a fraction of its box: the plate may hang out. */
const MARGIN = 0.08
/** Minimum height of that picture over the width of the box: the detector may cut off the part with the plate. */
const HEIGHT_MIN = 0.75

/** The box with its surroundings, inside the frame. */
export const withMargin = ({ x, y, w, h }: Box): Box =>
  clip({ x: x - MARGIN * w, y: y - MARGIN * h, w: w * (1 + 2 * MARGIN), h: h * (1 + 2 * MARGIN) })

/** The part of the frame that is searched for the plate of this vehicle. */
export function pictured(box: Box, frame: { readonly width: number; readonly height: number }): Box {
  const least = (HEIGHT_MIN * box.w * frame.width) / frame.height
  const { x, y, w, h } = withMargin(box)
  return clip({ x, y, w, h: Math.max(h, least) })
}

/** The upright box around a plate, with its frame, in fractions of the picture. */
export function boxOf(
  { box, chance }: PlateFound,
  { width, height }: { readonly width: number; readonly height: number },
) {
  const corners = cornersOf({ ...box, width: box.width * 1.15, height: box.height * 1.5 })
  const [xs, ys] = [corners.map(({ x }) => x / width), corners.map(({ y }) => y / height)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return {
    rotulo: 'placa',
    confianca: Math.min(1, chance),
    ...clip({ x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y }),
  }
}

/** A box in fractions of `region`, in fractions of the frame. */
export const within = (region: Box, { x, y, w, h }: Box): Box =>
  clip({ x: region.x + x * region.w, y: region.y + y * region.h, w: w * region.w, h: h * region.h })

/** A box in fractions of the frame, in fractions of `region`. */
export const inside = (region: Box, { x, y, w, h }: Box): Box =>
  clip({ x: (x - region.x) / region.w, y: (y - region.y) / region.h, w: w / region.w, h: h / region.h })
