import type { Box } from '@vigia/ias/geometry'
import { describe, expect, it } from 'vitest'
import { createStillness } from './stillness.ts'
import { createRandom } from './testing/scenes.ts'

const car: Box = { x: 0.4, y: 0.5, w: 0.2, h: 0.12 }

/**
 * A person of 1.70 m at this distance, m, from a camera 4 m above the ground, whose view is as high as the distance.
 */
const from = (metres: number): Box => ({
  x: 0.5 - 0.2 / metres,
  y: 0.2 + 2.3 / metres,
  w: 0.4 / metres,
  h: 1.7 / metres,
})

/** Adds `seconds` of boxes and returns stillMs after each. */
function feed(stillness: ReturnType<typeof createStillness>, fromS: number, seconds: number, at: (s: number) => Box) {
  return Array.from({ length: seconds * 5 }, (_, frame) => {
    const s = fromS + frame / 5
    stillness.add(s * 1000, at(s))
    return stillness.stillMs()
  })
}

describe('createStillness', () => {
  it('counts from the rest of the object, after two seconds, and returns to 0 when it leaves', () => {
    const stillness = createStillness()
    const arrives = feed(stillness, 0, 3, (s) => ({ ...car, x: 0.1 + s * 0.1 }))
    expect(Math.max(...arrives)).toBe(0)
    const stands = feed(stillness, 3, 20, () => car)
    expect(stands.at(-1)).toBeGreaterThan(17_000)
    expect(stands.at(-1)).toBeLessThanOrEqual(20_000)
    expect(stillness.place()?.x).toBeCloseTo(0.4, 1)
    const leaves = feed(stillness, 23, 3, (s) => ({ ...car, x: 0.4 + (s - 23) * 0.1 }))
    expect(leaves.at(-1)).toBe(0)
    expect(stillness.place()).toBeNull()
  })

  it('tolerates jitter of the boxes', () => {
    const random = createRandom(3)
    const shake = (length: number) => (random() + random() + random() - 1.5) * 0.2 * length
    const stillness = createStillness()
    const shaky = () => ({
      x: car.x + shake(car.w),
      y: car.y + shake(car.h),
      w: car.w + shake(car.w),
      h: car.h + shake(car.h),
    })
    const seen = feed(stillness, 0, 60, shaky)
    expect(seen.at(-1)).toBeGreaterThan(55_000)
  })

  it('ignores a passer-by that hides one side, then the other', () => {
    const stillness = createStillness()
    feed(stillness, 0, 10, () => car)
    feed(stillness, 10, 3, () => ({ ...car, x: car.x + 0.17, w: car.w - 0.17 }))
    feed(stillness, 13, 1, () => car)
    feed(stillness, 14, 2, () => ({ ...car, w: car.w - 0.17 }))
    expect(feed(stillness, 16, 1, () => car).at(-1)).toBeGreaterThan(16_000)
  })

  it.each([
    ['walks across', (s: number) => ({ x: 0.1 + s * 0.03, y: 0.5, w: 0.04, h: 0.16 })],
    ['comes near', (s: number) => from(25 - s * 1.4)],
    ['walks away', (s: number) => ({ x: 0.5, y: 0.8 - s * 0.03, w: 0.05, h: 0.2 - s * 0.01 })],
  ])('never reports a person still who %s', (_, at) => {
    expect(Math.max(...feed(createStillness(), 0, 10, at))).toBe(0)
  })

  it('handles slow streams and empty boxes', () => {
    const stillness = createStillness()
    for (let s = 0; s < 60; s += 10) stillness.add(s * 1000, car)
    expect(stillness.stillMs()).toBe(50_000)
    stillness.add(60_000, { ...car, w: 0, h: 0 })
    expect(Number.isFinite(stillness.stillMs())).toBe(true)
  })
})
