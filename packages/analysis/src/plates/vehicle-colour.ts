import type { Box } from '@vigia/ias/geometry'
import type { Lab } from './cielab.ts'
import { paintColourOf, type SeenColour } from './paint-colour.ts'
import type { RgbPicture } from './picture.ts'
import { GRID, lightsOf, quantileOf, sampleLab, WHOLE } from './picture-samples.ts'

/** The painted part of a vehicle, in fractions of its box: below the windows, above the wheels, without the edges. */
const BODY = { x: 0.1, y: 0.36, w: 0.8, h: 0.46 } as const
/** Surroundings of the plate that are no paint, in its own width and height: its frame and its recess. */
const PLATE_MARGIN = { side: 0.12, above: 0.6, below: 0.4 } as const
/** Fewest samples of paint. */
const SAMPLES_MIN = GRID ** 2 / 4
/** In a monochrome picture at most 5 % of the colours differ more from the middle one (CIELAB units). */
const MONOCHROME = 5
/** Lightness of a clipped sample, and the share of them in an overexposed body. */
const CLIPPED = { l: 98, share: 0.4 } as const
/** Lightness of the plate, or of the brightest tenth of a picture without one, below which every paint is black. */
const DARK = { plate: 30, picture: 40 } as const
/** Usual lightness of a plate, where none was found. */
const PLATE_LIGHT = 60
/** Yellow of a plate (CIELAB's b) from which the lamp, not the paint, gives the colour: sodium. */
const YELLOW_LAMP = 25

/**
 * The colour of a vehicle in one picture, without white balance; null: not certain. Both boxes are fractions of the
 * picture; `plate` is null where it was not found.
 */
export function colourOf(picture: RgbPicture, vehicle: Box, plate: Box | null): SeenColour | null {
  const onPlate = plate && sampleLab(picture, plate)
  if (!showsColours(sampleLab(picture, WHOLE), onPlate)) return null
  const body = sampleLab(picture, within(vehicle, BODY), plate && withSurroundings(plate))
  const clipped = body.filter(({ l }) => l >= CLIPPED.l).length
  if (body.length < SAMPLES_MIN || clipped >= CLIPPED.share * body.length) return null
  return paintColourOf(body, onPlate ? plateLightOf(onPlate) : PLATE_LIGHT)
}

/** Whether the light is bright and has more than one colour. */
function showsColours(whole: readonly Lab[], onPlate: readonly Lab[] | null): boolean {
  if (isMonochrome(whole)) return false
  if (!onPlate) return quantileOf(lightsOf(whole), 0.9) >= DARK.picture
  return plateLightOf(onPlate) >= DARK.plate && medianOf(onPlate, 'b') < YELLOW_LAMP
}

/** Infrared pictures have one colour, which a camera may tint. */
function isMonochrome(samples: readonly Lab[]): boolean {
  const [a, b] = [medianOf(samples, 'a'), medianOf(samples, 'b')]
  const distances = samples.map((one) => Math.hypot(one.a - a, one.b - b))
  return quantileOf(distances, 0.95) < MONOCHROME
}

/** The background of the plate, not its symbols. */
const plateLightOf = (samples: readonly Lab[]): number => quantileOf(lightsOf(samples), 0.75)

function medianOf(samples: readonly Lab[], axis: 'a' | 'b'): number {
  const values = samples.map((one) => one[axis])
  return quantileOf(values, 0.5)
}

/** `part`, in fractions of `box`, in fractions of the picture. */
const within = (box: Box, part: Box): Box => ({
  x: box.x + part.x * box.w,
  y: box.y + part.y * box.h,
  w: part.w * box.w,
  h: part.h * box.h,
})

const withSurroundings = ({ x, y, w, h }: Box): Box => ({
  x: x - PLATE_MARGIN.side * w,
  y: y - PLATE_MARGIN.above * h,
  w: w * (1 + 2 * PLATE_MARGIN.side),
  h: h * (1 + PLATE_MARGIN.above + PLATE_MARGIN.below),
})
