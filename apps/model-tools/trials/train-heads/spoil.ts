import type { Picture } from '@vigia/vision/picture'
import type { Region } from '@vigia/vision/surroundings'
import sharp from 'sharp'
import type { Random } from './random.ts'

/** Kinds of a worse camera. Several may apply to one cut. */
export interface Damage {
  readonly mirrored: boolean
  /** Side of the cut before it is enlarged, px; null: as in the picture. */
  readonly sidePx: number | null
  /** Standard deviation of a Gaussian blur, in pixels of the cut; 0: none. */
  readonly blurPx: number
  /** Exponent of the brightness: above 1 is darker. */
  readonly gamma: number
  /** Standard deviation of the noise, of 255. */
  readonly noise: number
  readonly grey: boolean
  /** JPEG quality, 1–100; null: not recoded. */
  readonly quality: number | null
}

/** 0.4 of the cuts stay as they are, apart from the mirror. */
export function drawDamage(random: Random): Damage {
  const mirrored = random.chance(0.5)
  const spoilt = random.chance(0.6)
  const draw = <Value>(probability: number, drawn: () => Value, otherwise: Value) =>
    spoilt && random.chance(probability) ? drawn() : otherwise
  const dark = spoilt && random.chance(0.35)
  return {
    mirrored,
    sidePx: draw(0.35, () => Math.round(random.between(28, 110)), null),
    blurPx: draw(0.3, () => random.between(0.6, 2.2), 0),
    gamma: dark ? random.between(1.4, 3) : 1,
    noise: dark ? random.between(4, 16) : draw(0.35, () => random.between(5, 34), 0),
    grey: draw(0.12, () => true, false),
    quality: draw(0.5, () => Math.round(random.between(8, 50)), null),
  }
}

const clean = ({ sidePx, blurPx, gamma, noise, grey, quality }: Damage) =>
  sidePx === null && blurPx === 0 && gamma === 1 && noise === 0 && !grey && quality === null
export const isSpoilt = (damage: Damage): boolean => !clean(damage)

/** The region of a picture as packed RGB of `side` x `side`, seen by a worse camera. */
export async function cutDamaged(
  picture: Picture,
  region: Region,
  side: number,
  damage: Damage,
  random: Random,
): Promise<Uint8Array> {
  const { mirrored, sidePx, blurPx, gamma, noise, grey, quality } = damage
  if (clean(damage)) {
    const pixels = await picture.cut(region, { width: side, height: side, format: 'rgb' })
    return mirrored ? mirror(pixels, side) : pixels
  }
  const own = Math.max(8, Math.min(side, region.width, sidePx ?? side))
  const raw = { width: own, height: own, channels: 3 } as const
  let image = sharp(await picture.cut(region, { ...raw, format: 'rgb' }), { raw })
  if (blurPx > 0) image = image.blur(blurPx)
  const pixels = await image.flop(mirrored).removeAlpha().raw().toBuffer()
  if (grey) takeColour(pixels)
  for (let at = 0; at < pixels.length; at++) {
    const value = 255 * ((pixels[at] ?? 0) / 255) ** gamma
    pixels[at] = Math.max(0, Math.min(255, Math.round(value + (noise > 0 ? noise * random.normal() : 0))))
  }
  const worse = sharp(pixels, { raw })
  const coded = quality === null ? worse : sharp(await worse.jpeg({ quality }).toBuffer())
  return await coded.resize(side, side, { fit: 'fill' }).toColourspace('srgb').removeAlpha().raw().toBuffer()
}

/** Every channel becomes the brightness (ITU-R BT.601), as at night under infrared light. */
function takeColour(pixels: Uint8Array): void {
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3)
    pixels.fill(Math.round(0.299 * red + 0.587 * green + 0.114 * blue), at, at + 3)
  }
}

function mirror(pixels: Uint8Array, side: number): Uint8Array {
  const mirrored = new Uint8Array(pixels.length)
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const [from, to] = [(row * side + column) * 3, (row * side + side - 1 - column) * 3]
      for (let channel = 0; channel < 3; channel++) mirrored[to + channel] = pixels[from + channel] ?? 0
    }
  return mirrored
}
