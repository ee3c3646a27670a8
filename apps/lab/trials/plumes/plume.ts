import { xorshift } from '@vigia/testing/random'
import type { Pixels } from '../eval/stress/pixels.ts'
import { patches } from '../eval/weather/light.ts'

/** Puffs that leave the source each second, and time after which one has dissolved. */
const PUFFS_PER_S = 3
const LIFE_S = 14
/** Time until the source smokes fully. */
const SWELL_S = 12
/** Width of the coarse picture in which the opacity is computed. */
const COARSE = 96
const DENSEST = 0.9
/** Minimum difference between the smoke and the mean of the picture, in grey levels: less is hardly visible. */
const CONTRAST = 60
/** Part of the smoke's brightness that its billows change. */
const SHADING = 0.45

/**
 * A drawn plume over a picture: puffs that leave a point, rise, drift, widen and dissolve, with shaded billows. Seed:
 * place, grey level, wind, density. `atS`: seconds since its beginning; earlier pictures stay unchanged. One object for
 * pictures of one size.
 */
export function createPlume(seed: number, { width, height }: Pick<Pixels, 'width' | 'height'>) {
  const random = xorshift(seed)
  for (let skipped = 0; skipped < 8; skipped++) random()
  const source = { x: 0.2 + 0.6 * random(), y: 0.5 + 0.4 * random() }
  const wind = (random() - 0.5) * 0.05
  const rise = 0.025 + 0.025 * random()
  const tone = random()
  const density = 0.35 + 0.5 * random()
  const sway = Array.from({ length: 64 }, () => random() - 0.5)
  const rows = Math.max(1, Math.round((COARSE * height) / width))
  const texture = patches(COARSE * 2, rows * 2, 14, random)
  const shades = patches(COARSE * 2, rows * 2, 30, random)
  let level: number | null = null

  const opacities = (atS: number): Float32Array => {
    const field = new Float32Array(COARSE * rows)
    for (let puff = Math.max(0, Math.ceil((atS - LIFE_S) * PUFFS_PER_S)); puff <= atS * PUFFS_PER_S; puff++) {
      const age = atS - puff / PUFFS_PER_S
      const strength = Math.min(1, puff / PUFFS_PER_S / SWELL_S + 0.25) * (1 - age / LIFE_S) * Math.min(1, age / 0.5)
      const bend = (sway[puff % sway.length] ?? 0) * 0.03 * Math.sqrt(age)
      const x = (source.x + wind * age + bend) * COARSE
      const y = (source.y - rise * age) * rows
      const reach = COARSE * (0.012 + 0.009 * age)
      for (let row = Math.max(0, Math.ceil(y - 2 * reach)); row <= Math.min(rows - 1, y + 2 * reach); row++)
        for (
          let column = Math.max(0, Math.ceil(x - 2 * reach));
          column <= Math.min(COARSE - 1, x + 2 * reach);
          column++
        ) {
          const away = ((column - x) ** 2 + (row - y) ** 2) / reach ** 2
          const at = row * COARSE + column
          field[at] = (field[at] ?? 0) + 0.35 * strength * density * Math.exp(-away)
        }
    }
    return field.map((depth, at) => Math.min(DENSEST, 1 - Math.exp(-10 * depth * risen(texture, at, atS) ** 2)))
  }

  /** Value of a texture that rises with the smoke, 0–1. */
  const risen = (field: Float32Array, at: number, atS: number): number => {
    const row = Math.floor(at / COARSE) + Math.round(rise * atS * rows)
    return field[(row % (rows * 2)) * COARSE * 2 + (at % COARSE)] ?? 0
  }

  return ({ rgb }: Pixels, atS: number): void => {
    if (atS < 0) return
    level ??= greyOf(rgb.reduce((sum, value) => sum + value, 0) / rgb.length, tone)
    const field = opacities(atS)
    const lights = field.map((_, at) => (level ?? 0) * (1 + SHADING * (2 * risen(shades, at, atS) - 1)))
    const mixed = (of: Float32Array, at: number, u: number, v: number) => {
      const top = (of[at] ?? 0) * (1 - u) + (of[at + 1] ?? 0) * u
      const bottom = (of[at + COARSE] ?? 0) * (1 - u) + (of[at + COARSE + 1] ?? 0) * u
      return top * (1 - v) + bottom * v
    }
    for (let y = 0; y < height; y++) {
      const [fy, v] = split((y / height) * rows, rows)
      for (let x = 0; x < width; x++) {
        const [fx, u] = split((x / width) * COARSE, COARSE)
        const at = fy * COARSE + fx
        const share = mixed(field, at, u, v)
        if (share < 0.004) continue
        const light = mixed(lights, at, u, v)
        for (let byte = 3 * (y * width + x), end = byte + 3; byte < end; byte++)
          rgb[byte] = (rgb[byte] ?? 0) * (1 - share) + light * share
      }
    }
  }
}

/** Grey level of smoke that differs from the mean of the picture; `tone`: 0–1, from dark to bright. */
function greyOf(mean: number, tone: number): number {
  const grey = 60 + 160 * tone
  if (Math.abs(grey - mean) >= CONTRAST) return grey
  return mean < 120 ? mean + CONTRAST : mean - CONTRAST
}

/** The knot before a position, and the rest, 0–1. */
const split = (position: number, limit: number): readonly [number, number] => {
  const knot = Math.min(limit - 2, Math.floor(position))
  return [knot, Math.min(1, position - knot)]
}
