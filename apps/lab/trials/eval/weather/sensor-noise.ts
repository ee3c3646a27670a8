import { normal, type Random, xorshift } from '@vigia/testing/random'
import type { Pixels } from '../stress/pixels.ts'

/** Deviations at full strength: of the reading, levels of 255, and of the light, levels per square root of a level. */
export interface SensorNoise {
  readonly read: number
  readonly shot: number
  /** Fraction of the noise that differs between the three colours, 0–1. */
  readonly colour: number
}

/**
 * Adds noise that grows with the light, as a sensor's does. The noise depends only on `seed` and the time of the
 * picture, so that a run can begin anywhere.
 */
export function createSensorNoise({ read, shot, colour }: SensorNoise, seed: number) {
  const numbers = xorshift(seed)
  const table = Float32Array.from({ length: 2 ** 16 }, () => normal(numbers))
  const mask = table.length - 1
  const deviations = Float32Array.from({ length: 256 }, (_, value) => Math.sqrt(read * read + shot * shot * value))
  return ({ rgb, width, height }: Pixels, atS: number): void => {
    const random = randomAt(seed, atS)
    for (let y = 0; y < height; y++) {
      let at = Math.floor(random() * table.length)
      for (let index = y * width * 3; index < (y + 1) * width * 3; index += 3) {
        const common = (table[at & mask] ?? 0) * (1 - colour)
        for (let c = 0; c < 3; c++) {
          const value = rgb[index + c] ?? 0
          const own = colour === 0 ? 0 : (table[(at + c * 7919) & mask] ?? 0) * colour
          const noisy = value + (common + own) * (deviations[value] ?? 0)
          rgb[index + c] = Math.max(0, Math.min(noisy, 255))
        }
        at++
      }
    }
  }
}

/** Random numbers of one picture: the same for the same seed and time, in ms. */
export function randomAt(seed: number, atS: number): Random {
  const random = xorshift((Math.imul(seed, 0x9e3779b1) ^ Math.imul(Math.round(atS * 1000) + 1, 0x85ebca6b)) >>> 0)
  // The first numbers of similar seeds are similar.
  for (let i = 0; i < 4; i++) random()
  return random
}
