import type { PictureMeasures } from '@vigia/ias/tasks/imagem'
import type { Picture } from './picture.ts'

/** Width of measured pictures, in pixels: fine enough for edges, coarse enough to remove noise. */
const WIDTH = 320
/** A capped lens yields black with sensor noise up to about 36 (picture-health.ts). */
const DARK = 40
const SATURATED = 245
const SQUARE = 16
/** Standard deviation of brightness, grey levels, below which a square is flat; JPEG leaves about 1. */
const FLAT = 4
/** Minimum step of an edge over STEP points, grey levels. */
const STEP = 4
const EDGE = 24
/**
 * Sharpness is measured in PARTS x PARTS parts: the recorder's clock in a blurred picture is sharp in only some of
 * them.
 */
const PARTS = 4
const MIN_PARTS = 8
const MIN_EDGES = 20

export async function measurePicture(picture: Picture): Promise<PictureMeasures> {
  const width = Math.min(WIDTH, picture.width)
  const height = Math.max(1, Math.round((picture.height * width) / picture.width))
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height }
  const grey = greyOf(await picture.cut(whole, { width, height, format: 'rgb' }))
  return {
    dark: share(grey, (value) => value <= DARK),
    saturated: share(grey, (value) => value >= SATURATED),
    contrast: deviation(grey),
    flat: flatShare(grey, width, height),
    sharpness: sharpnessOf(grey, width, height),
  }
}

/** Luma of BT.601. */
function greyOf(rgb: Uint8Array): Uint8Array {
  const grey = new Uint8Array(rgb.length / 3)
  for (let i = 0; i < grey.length; i++)
    grey[i] = 0.299 * (rgb[3 * i] ?? 0) + 0.587 * (rgb[3 * i + 1] ?? 0) + 0.114 * (rgb[3 * i + 2] ?? 0)
  return grey
}

function share(values: Uint8Array, counts: (value: number) => boolean): number {
  let found = 0
  for (const value of values) if (counts(value)) found++
  return found / Math.max(1, values.length)
}

function deviation(values: Uint8Array): number {
  let [sum, squares] = [0, 0]
  for (const value of values) {
    sum += value
    squares += value * value
  }
  const mean = sum / Math.max(1, values.length)
  return Math.sqrt(Math.max(0, squares / Math.max(1, values.length) - mean * mean))
}

function flatShare(grey: Uint8Array, width: number, height: number): number {
  let [flat, squares] = [0, 0]
  for (let top = 0; top + SQUARE <= height; top += SQUARE)
    for (let left = 0; left + SQUARE <= width; left += SQUARE) {
      squares++
      if (deviation(part(grey, width, { left, top, width: SQUARE, height: SQUARE })) < FLAT) flat++
    }
  return squares === 0 ? 0 : flat / squares
}

function sharpnessOf(grey: Uint8Array, width: number, height: number): number | null {
  const [partWidth, partHeight] = [Math.floor(width / PARTS), Math.floor(height / PARTS)]
  const found = Array.from({ length: PARTS * PARTS }, (_, i) => {
    const place = { left: (i % PARTS) * partWidth, top: Math.floor(i / PARTS) * partHeight }
    return steepness(part(grey, width, { ...place, width: partWidth, height: partHeight }), partWidth)
  }).filter((value) => value !== null)
  if (found.length < MIN_PARTS) return null
  return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? null
}

/**
 * Largest single step of all horizontal edges in relation to the whole: 1 is an edge of one point, 0.25 an even slope.
 */
function steepness(grey: Uint8Array, width: number): number | null {
  let [edges, steepest, whole] = [0, 0, 0]
  for (let at = 0; at + STEP < grey.length; at++) {
    if ((at % width) + STEP >= width) continue
    const step = Math.abs((grey[at + STEP] ?? 0) - (grey[at] ?? 0))
    if (step < EDGE) continue
    let largest = 0
    for (let i = at; i < at + STEP; i++) largest = Math.max(largest, Math.abs((grey[i + 1] ?? 0) - (grey[i] ?? 0)))
    edges++
    whole += step
    steepest += largest
  }
  return edges < MIN_EDGES ? null : steepest / whole
}

function part(
  grey: Uint8Array,
  width: number,
  place: { left: number; top: number; width: number; height: number },
): Uint8Array {
  const cut = new Uint8Array(place.width * place.height)
  for (let row = 0; row < place.height; row++) {
    const from = (place.top + row) * width + place.left
    cut.set(grey.subarray(from, from + place.width), row * place.width)
  }
  return cut
}
