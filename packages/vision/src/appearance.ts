import type { Appearance } from '@vigia/ias/appearance'
import type { Box } from '@vigia/ias/geometry'

/** Packed RGB rows, 0…255. */
export interface ColourPicture {
  readonly rgb: Uint8Array
  readonly width: number
  readonly height: number
}

/** Parts of a standing person, as fractions of the box: without its border, which shows the background. */
const PARTS = [
  { top: 0.15, bottom: 0.5 },
  { top: 0.5, bottom: 0.9 },
] as const
const SIDES = { left: 0.2, right: 0.8 } as const
const GREYS = 6
const HUES = 8
/** Colourfulness (distance from grey in the plane of Cb and Cr) at which a pixel begins, and ends, to count as grey. */
const COLOURED = { from: 6, to: 20 } as const
/** Bins of one part: greys by brightness, then hues, each dark and bright. */
const BINS = GREYS + 2 * HUES
/** Fewer pixels in a part show no clothes. */
const LEAST_PIXELS = 12

/**
 * Colours of the upper and the lower body of the person in `box`; null: the box has too few pixels. Neighbouring bins
 * share a pixel, so that a little more light changes little.
 */
export function appearanceOf({ rgb, width, height }: ColourPicture, box: Box): Appearance | null {
  const bins = new Array<number>(PARTS.length * BINS).fill(0)
  const [left, right] = [SIDES.left, SIDES.right].map((side) => limited((box.x + box.w * side) * width, width))
  for (const [index, part] of PARTS.entries()) {
    const [top, bottom] = [part.top, part.bottom].map((edge) => limited((box.y + box.h * edge) * height, height))
    const pixels = ((right ?? 0) - (left ?? 0)) * ((bottom ?? 0) - (top ?? 0))
    if (pixels < LEAST_PIXELS) return null
    const weight = 1 / pixels / PARTS.length
    for (let y = top ?? 0; y < (bottom ?? 0); y++)
      for (let x = left ?? 0; x < (right ?? 0); x++) addPixel(bins, index * BINS, rgb, 3 * (y * width + x), weight)
  }
  return bins
}

function addPixel(bins: number[], offset: number, rgb: Uint8Array, at: number, weight: number): void {
  const [r, g, b] = [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0]
  const luma = 0.299 * r + 0.587 * g + 0.114 * b
  const [cb, cr] = [0.564 * (b - luma), 0.713 * (r - luma)]
  const colour = Math.min(1, Math.max(0, (Math.hypot(cb, cr) - COLOURED.from) / (COLOURED.to - COLOURED.from)))
  if (colour < 1) share(bins, offset, GREYS, (luma / 256) * (GREYS - 1), weight * (1 - colour), false)
  if (colour === 0) return
  const hue = ((Math.atan2(cr, cb) / (2 * Math.PI) + 1) % 1) * HUES
  const bright = Math.min(1, Math.max(0, (luma - 64) / 96))
  share(bins, offset + GREYS, HUES, hue, weight * colour * (1 - bright), true)
  share(bins, offset + GREYS + HUES, HUES, hue, weight * colour * bright, true)
}

/** Divides `weight` between the two bins next to `position`. */
function share(
  bins: number[],
  offset: number,
  count: number,
  position: number,
  weight: number,
  isCircle: boolean,
): void {
  const low = Math.floor(position)
  const high = isCircle ? (low + 1) % count : Math.min(count - 1, low + 1)
  const part = position - low
  bins[offset + (low % count)] = (bins[offset + (low % count)] ?? 0) + weight * (1 - part)
  bins[offset + high] = (bins[offset + high] ?? 0) + weight * part
}

const limited = (position: number, size: number) => Math.min(size, Math.max(0, Math.round(position)))
