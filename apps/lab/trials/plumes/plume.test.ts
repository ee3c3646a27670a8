import { expect, it } from 'vitest'
import { createPlume } from './plume.ts'

const size = { width: 192, height: 108 }
const drawn = (seed: number, atS: number) => {
  const picture = { rgb: Buffer.alloc(size.width * size.height * 3, 20), ...size }
  createPlume(seed, size)(picture, atS)
  return picture.rgb
}
const covered = (rgb: Buffer) => rgb.filter((value) => value > 24).length / rgb.length

it('draws a plume that grows and dissolves at its edge, the same for the same seed', () => {
  expect(covered(drawn(3, -1))).toBe(0)
  expect(covered(drawn(3, 20))).toBeGreaterThan(2 * covered(drawn(3, 4)))
  expect(drawn(3, 9)).toEqual(drawn(3, 9))
  expect(drawn(3, 9)).not.toEqual(drawn(4, 9))
  const steps = drawn(3, 20).map((value, at, all) => Math.abs(value - (all[at + 3] ?? value)))
  expect(Math.max(...steps)).toBeLessThan(40)
})
