import type { Box } from '@vigia/ias/geometry'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMotionGate, type Motion } from './motion.ts'
import {
  createDice,
  emptied,
  HEIGHT,
  infrared,
  noisy,
  painted,
  rained,
  readGrayFootage,
  STEP_MS,
  shifted,
  snowed,
  WIDTH,
} from './testing/footage.ts'

let footage: Uint8Array[]
let yard: Uint8Array
beforeAll(async () => {
  footage = await readGrayFootage()
  yard = emptied(footage)
})

type Weather = (gray: Uint8Array, index: number, dice: () => number) => Uint8Array
const fine: Weather = (gray) => gray

interface Walker {
  readonly width: number
  readonly height: number
  readonly contrast: number
  /** Pixels a picture. */
  readonly speed: number
}
const near: Walker = { width: 9, height: 26, contrast: -40, speed: 1 }
const far: Walker = { width: 4, height: 9, contrast: -40, speed: 0.5 }
const TOP = 35

const walked = (index: number, { width, height, speed }: Walker): Box => ({
  x: (20 + Math.floor(index * speed)) / WIDTH,
  y: TOP / HEIGHT,
  w: width / WIDTH,
  h: height / HEIGHT,
})

function withWalker(gray: Uint8Array, index: number, walker: Walker): Uint8Array {
  const left = 20 + Math.floor(index * walker.speed)
  return painted(gray, (value, x, y) =>
    x >= left && x < left + walker.width && y >= TOP && y < TOP + walker.height ? value + walker.contrast : value,
  )
}

/** Results of the gate over `count` pictures of the empty yard in that weather; a walker crosses it from `after` on. */
function watch(weather: Weather, count: number, walker?: Walker, after = 0): Motion[] {
  const dice = createDice(7)
  const gate = createMotionGate({ holdMs: 0 })
  return Array.from({ length: count }, (_, index) => {
    const seen = walker && index >= after ? withWalker(yard, index - after, walker) : yard
    return gate.update(weather(seen, index, dice), WIDTH, HEIGHT, index * STEP_MS)
  })
}
const share = (motions: readonly Motion[], is: (motion: Motion, index: number) => boolean) =>
  motions.filter(is).length / motions.length
const active = (motion: Motion) => motion.active
const sees = (walker: Walker) => (motion: Motion, index: number) =>
  motion.active && motion.overlap(walked(index, walker)) > 0.25

const weathers: Record<string, Weather> = {
  rain: (gray, _, dice) => rained(gray, 100, dice),
  snow: (gray, _, dice) => snowed(gray, 60, dice),
  'sensor noise of a dark night': (gray, _, dice) => noisy(gray, 8, dice),
  'a pole that shakes by four pixels': (gray, _, dice) => shifted(gray, dice() * 8 - 4, dice() * 8 - 4),
}

describe('the motion gate outdoors', () => {
  it.each(Object.entries(weathers))('closes in %s and opens for a person in it', (_, weather) => {
    const motions = watch(weather, 150, near, 100)
    expect(share(motions.slice(50, 100), active)).toBeLessThanOrEqual(0.1)
    expect(share(motions.slice(100), sees(near))).toBeGreaterThan(0.9)
  })

  it('opens for a distant person of two cells, also in the rain', () => {
    const dry = watch(fine, 60, far, 10).slice(10)
    expect(share(dry, sees(far))).toBe(1)
    const wet = watch(weathers.rain as Weather, 150, far, 100).slice(100)
    expect(share(wet, sees(far))).toBeGreaterThan(0.4)
  })

  it('opens for a person whose contrast is within the noise of single pixels', () => {
    const faint = { ...near, contrast: -13 }
    expect(share(watch(fine, 60, faint, 10).slice(12), active)).toBeGreaterThan(0.9)
  })

  it.each<[string, (value: number) => number, number]>([
    ['half the exposure', (value) => value * 0.5, 0.03],
    ['more gain', (value) => value * 1.4 + 5, 0.03],
    ['another gamma', (value) => 255 * (value / 255) ** 0.75, 0.2],
  ])('ignores %s, back and forth, and opens for a person who walks meanwhile', (_, rule, most) => {
    const weather: Weather = (gray, index) => (index >= 20 && index % 20 < 10 ? painted(gray, rule) : gray)
    expect(share(watch(weather, 100).slice(1), active)).toBeLessThanOrEqual(most)
    expect(share(watch(weather, 100, near, 20).slice(20), sees(near))).toBeGreaterThan(0.9)
  })

  it('ignores the shadow of a cloud that moves over the yard', () => {
    const weather: Weather = (gray, index) =>
      painted(gray, (value, x) => value * (1 - 0.35 / (1 + Math.exp(-((index - 30) * 3 - x) / 25))))
    expect(share(watch(weather, 110).slice(1), active)).toBeLessThanOrEqual(0.05)
  })

  it('opens at a switch to infrared, learns the night picture within 3 s and opens for a person in it', () => {
    const motions = watch((gray, index, dice) => (index < 20 ? gray : infrared(gray, dice)), 80, near, 50)
    expect(motions[20]?.active).toBe(true)
    expect(share(motions.slice(35, 50), active)).toBe(0)
    expect(share(motions.slice(50), sees(near))).toBeGreaterThan(0.8)
  })

  it('returns no regions while the exposure of a new scene settles', () => {
    const other: Weather = (gray, index) =>
      index < 20 ? gray : painted(gray, (value) => (255 - value) * Math.min(1, 0.4 + (index - 20) / 10))
    const motions = watch(other, 50)
    expect(motions[20]).toMatchObject({ active: true, global: true, regions: [] })
    expect(motions.slice(20, 30).every((motion) => motion.overlap({ x: 0, y: 0, w: 1, h: 1 }) === 0)).toBe(true)
    expect(share(motions.slice(35), active)).toBe(0)
  })

  it('absorbs a lorry that parks across a third of the picture', () => {
    const parked: Weather = (gray, index) =>
      index < 20 ? gray : painted(gray, (value, x) => (x < 55 ? 230 - value / 4 : value))
    const motions = watch(parked, 60)
    expect(motions[20]?.active).toBe(true)
    expect(share(motions.slice(45), active)).toBe(0)
  })
})

describe('regions of the motion gate', () => {
  it('separate real people, the largest first, at the changed positions', () => {
    const gate = createMotionGate({ holdMs: 0 })
    const motions = footage.map((gray, index) => gate.update(gray, WIDTH, HEIGHT, index * STEP_MS))
    expect(share(motions.slice(2), active)).toBeGreaterThan(0.95)
    expect(Math.max(...motions.map(({ regions }) => regions.length))).toBeLessThanOrEqual(8)
    const several = motions.slice(10)
    expect(share(several, ({ regions }) => regions.length >= 2)).toBeGreaterThan(0.8)
    for (const { regions, moved, overlap } of several) {
      const areas = regions.map(({ w, h }) => w * h)
      expect(areas.every((area) => area < 0.5)).toBe(true)
      expect(regions.every((region) => overlap(region) > 0)).toBe(true)
      const inside = regions.reduce((sum, region) => sum + overlap(region) * region.w * region.h, 0)
      if (regions.length < 8) expect(inside).toBeGreaterThan(moved - 0.001)
    }
  })

  it('keep their result after the next picture', () => {
    const gate = createMotionGate({ holdMs: 0 })
    for (let index = 0; index < 10; index++) gate.update(yard, WIDTH, HEIGHT, index * STEP_MS)
    const before = gate.update(withWalker(yard, 0, near), WIDTH, HEIGHT, 2_000)
    const seen = before.overlap(walked(0, near))
    gate.update(yard, WIDTH, HEIGHT, 2_200)
    expect(before.overlap(walked(0, near))).toBe(seen)
    expect(seen).toBeGreaterThan(0.5)
  })
})
