import type { Box } from '@vigia/ias/geometry'
import { type Lab, labOf } from './cielab.ts'
import type { RgbPicture } from './picture.ts'

/** Samples along each side of a part. */
export const GRID = 48

/**
 * Colours of a part of a picture, on a grid of GRID x GRID points. Points outside of the picture and inside of `except`
 * are left out. Both boxes are fractions of the picture.
 */
export function sampleLab({ width, height, data }: RgbPicture, part: Box, except: Box | null = null): Lab[] {
  const samples: Lab[] = []
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++) {
      const x = part.x + ((column + 0.5) * part.w) / GRID
      const y = part.y + ((row + 0.5) * part.h) / GRID
      if (!isIn(WHOLE, x, y) || (except && isIn(except, x, y))) continue
      const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 3
      samples.push(labOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0))
    }
  return samples
}

export const WHOLE: Box = { x: 0, y: 0, w: 1, h: 1 }

const isIn = (box: Box, x: number, y: number): boolean =>
  x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h

/** The value below which this share of the values lies; 0 without a value. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}

export const lightsOf = (samples: readonly Lab[]): number[] => samples.map(({ l }) => l)
