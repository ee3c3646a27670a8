import { xorshift } from '@vigia/testing/random'
import { blur, createNoise, type Pixels } from '../stress/pixels.ts'

/** Versions of a picture: as it is, or spoilt as on bad nights and cameras. */
export const versions = ['limpa', 'ruido', 'escura', 'desfocada'] as const
export type Version = (typeof versions)[number]

const NOISE_DEVIATION = 30
const DARK_GAMMA = 2.2
const DARK_NOISE_DEVIATION = 12
/** Triple box filter: a Gaussian with a deviation of 1.4 pixels. */
const BLUR_RADIUS = 1

/** Returns a changed copy; the same seed always gives the same picture. */
export function makeVersion({ rgb, width, height }: Pixels, version: Version, seed: number): Pixels {
  const picture = { rgb: Buffer.from(rgb), width, height }
  const random = xorshift(seed)
  if (version === 'ruido') createNoise(NOISE_DEVIATION, random)(picture)
  if (version === 'desfocada') blur(picture, BLUR_RADIUS)
  if (version === 'escura') {
    const table = Uint8Array.from({ length: 256 }, (_, value) => 255 * (value / 255) ** DARK_GAMMA)
    for (const [i, value] of picture.rgb.entries()) picture.rgb[i] = table[value] ?? 0
    createNoise(DARK_NOISE_DEVIATION, random)(picture)
  }
  return picture
}
