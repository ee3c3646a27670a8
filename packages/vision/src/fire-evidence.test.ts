import type { Box } from '@vigia/ias/geometry'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFireEvidence, type FireSigns } from './fire-evidence.ts'
import { createDice, HEIGHT, readColourFootage, STEP_MS, WIDTH } from './testing/footage.ts'

let footage: Uint8Array[]
let dice: () => number
beforeAll(async () => {
  footage = await readColourFootage()
})

type Colour = readonly [number, number, number]
type Draw = (picture: Uint8Array, index: number) => void

function dot(picture: Uint8Array, x: number, y: number, colour: Colour, opacity = 1): void {
  if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT) return
  for (let channel = 0; channel < 3; channel++) {
    const at = 3 * (Math.floor(y) * WIDTH + Math.floor(x)) + channel
    const mixed = (picture[at] ?? 0) * (1 - opacity) + (colour[channel] ?? 0) * opacity
    picture[at] = Math.max(0, Math.min(255, mixed))
  }
}

function area(picture: Uint8Array, box: Box, rule: (x: number, y: number) => readonly [Colour, number]): void {
  for (let y = 0; y < box.h; y++) {
    for (let x = 0; x < box.w; x++) {
      const [colour, opacity] = rule(x, y)
      dot(picture, box.x + x, box.y + y, colour, opacity)
    }
  }
}

/** Draws columns of 2 pixels with a random height in every picture; `box` in pixels. */
const flame =
  (box: Box): Draw =>
  (picture) => {
    for (let x = 0; x < box.w; x += 2) {
      const high = box.h * (0.35 + 0.65 * dice())
      for (let y = 0; y < high; y++) {
        const heat = 0.85 + 0.3 * dice()
        const up = y / high
        const colour: Colour = [255 * heat, (235 - 150 * up) * heat, (130 - 110 * up) * heat]
        dot(picture, box.x + x, box.y + box.h - y, colour, 0.95)
        dot(picture, box.x + x + 1, box.y + box.h - y, colour, 0.9)
      }
    }
  }

/** The picture of a camera shifted by (dx, dy) pixels. */
function moved(picture: Uint8Array, dx: number, dy: number): Uint8Array {
  const out = new Uint8Array(picture.length)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const [fromX, fromY] = [Math.min(WIDTH - 1, Math.max(0, x - dx)), Math.min(HEIGHT - 1, Math.max(0, y - dy))]
      for (let channel = 0; channel < 3; channel++)
        out[3 * (y * WIDTH + x) + channel] = picture[3 * (fromY * WIDTH + fromX) + channel] as number
    }
  }
  return out
}

const fractions = ({ x, y, w, h }: Box): Box => ({ x: x / WIDTH, y: y / HEIGHT, w: w / WIDTH, h: h / HEIGHT })
const fixed = (x: number, y: number, w: number, h: number) => () => ({ x, y, w, h })

/** Ten pictures of the yard, then 35 with the drawing in it; returns the signs of its region (pixels) in each. */
function watch(
  draw: Draw,
  place: (index: number) => Box,
  label: 'fire' | 'smoke' = 'fire',
  people: (index: number) => Box[] = () => [],
) {
  dice = createDice(3)
  const evidence = createFireEvidence()
  const signs: FireSigns[] = []
  let suspected = 0
  for (let index = -10; index < 35; index++) {
    const picture = Uint8Array.from(footage[(index + 10) % footage.length] as Uint8Array)
    if (index >= 0) draw(picture, index)
    evidence.update(picture, WIDTH, HEIGHT, (index + 10) * STEP_MS, {
      people: people(index).map(fractions),
      vehicles: [],
    })
    if (index < 0) continue
    const box = fractions(place(index))
    const found = evidence.of(label, box)
    if (found) signs.push(found)
    const hit = evidence
      .restless()
      .some(({ x, y, w, h }) => x < box.x + box.w && box.x < x + w && y < box.y + box.h && box.y < y + h)
    if (hit) suspected++
  }
  return {
    signs,
    suspected: suspected / 35,
    last: signs.at(-1) as FireSigns,
    flicker: Math.max(...signs.slice(5).map((one) => one.flicker)),
  }
}

describe('signs of fire', () => {
  it('detects the flicker of a flame within 3 s and returns its region', () => {
    const { signs, suspected, last } = watch(flame({ x: 60, y: 50, w: 30, h: 40 }), fixed(58, 45, 34, 48))
    expect(signs[14]?.flicker).toBeGreaterThan(0.8)
    expect(last.colour).toBeGreaterThan(0.8)
    expect(suspected).toBeGreaterThan(0.8)
  })

  it('returns no region for flicker in the outermost column of the frame', () => {
    const column = { x: WIDTH - 2, y: 50, w: 2, h: 40 }
    expect(watch(flame(column), fixed(column.x, column.y, 2, 40)).suspected).toBe(0)
    expect(watch(flame({ ...column, x: WIDTH - 6 }), fixed(WIDTH - 6, 50, 2, 40)).suspected).toBeGreaterThan(0)
  })

  it('is undecided on a flame of a few pixels, but returns its region', () => {
    const { last, suspected } = watch(flame({ x: 20, y: 70, w: 4, h: 4 }), fixed(18, 68, 8, 9))
    expect(last.colour).toBeGreaterThan(0.4)
    expect(last.flicker).toBeGreaterThan(0.3)
    expect(suspected).toBeGreaterThan(0.7)
  })

  const calm: [string, Draw, (index: number) => Box][] = [
    [
      'a red shirt that walks',
      (picture, index) =>
        area(picture, { x: 20 + index * 1.5, y: 40, w: 8, h: 12 }, (x) => [[200 - (x % 3) * 10, 40, 35], 1]),
      (index) => ({ x: 20 + index * 1.5, y: 38, w: 8, h: 28 }),
    ],
    [
      'an orange vest that walks',
      (picture, index) =>
        area(picture, { x: 20 + index * 1.5, y: 40, w: 8, h: 12 }, (_, y) => [
          y % 5 < 1 ? [230, 230, 220] : [255, 130, 40],
          1,
        ]),
      (index) => ({ x: 20 + index * 1.5, y: 38, w: 8, h: 28 }),
    ],
    [
      'a brake light that goes on',
      (picture, index) => index > 12 && area(picture, { x: 60, y: 60, w: 6, h: 4 }, () => [[255, 90, 60], 1]),
      fixed(58, 58, 10, 8),
    ],
    [
      'a lamp',
      (picture) =>
        area(picture, { x: 60, y: 30, w: 8, h: 8 }, (x, y) => [
          [255, 200, 110],
          Math.exp(-((x - 4) ** 2 + (y - 4) ** 2) / 8),
        ]),
      fixed(60, 30, 8, 8),
    ],
    [
      'a sunset',
      (picture) => area(picture, { x: 0, y: 0, w: WIDTH, h: 50 }, (_, y) => [[250, 130 + y, 60 + y], 0.9]),
      fixed(0, 0, WIDTH, 50),
    ],
    [
      'a yellow machine that turns',
      (picture, index) =>
        area(picture, { x: 50, y: 50, w: 40, h: 30 }, (x, y) => {
          const [cos, sin] = [Math.cos(index / 4), Math.sin(index / 4)]
          const inside = Math.abs((x - 20) * cos + (y - 15) * sin) < 16 && Math.abs((y - 15) * cos - (x - 20) * sin) < 6
          return [[240, 190, 40], inside ? 1 : 0]
        }),
      fixed(50, 50, 40, 30),
    ],
    [
      'a television',
      (picture, index) =>
        area(picture, { x: 60, y: 30, w: 24, h: 16 }, (x, y) => {
          const cut = (Math.floor(index / 4) * 7919) % 200
          return [[(cut + x * 5) % 255, (cut * 2 + y * 6) % 255, (cut * 3 + x * 2) % 255], 1]
        }),
      fixed(60, 30, 24, 16),
    ],
  ]
  it.each(calm)('finds little flicker in %s', (_, draw, place) => {
    expect(watch(draw, place).flicker).toBeLessThan(0.5)
  })

  it('distinguishes flame colours from grass, people and white light', () => {
    const lamp: Draw = (picture) => area(picture, { x: 60, y: 30, w: 8, h: 8 }, () => [[235, 240, 255], 1])
    expect(watch(lamp, fixed(60, 30, 8, 8)).last.colour).toBeLessThan(0.1)
    expect(watch(() => {}, fixed(10, 60, 50, 40)).last.colour).toBeLessThan(0.05)
    expect(watch(() => {}, fixed(60, 40, 60, 40)).last.colour).toBeLessThan(0.2)
  })

  it('finds flicker in a flame and none in a painted surface of flame colours on a shaking camera', () => {
    const barrier: Draw = (picture) =>
      area(picture, { x: 50, y: 50, w: 40, h: 24 }, (x, y) => [(x + y) % 12 < 6 ? [250, 170, 40] : [150, 60, 20], 1])
    const gust =
      (draw: Draw): Draw =>
      (picture, index) => {
        draw(picture, index)
        const [dx, dy] = [0, 0].map(() => Math.round(4 * dice() - 2)) as [number, number]
        if (index >= 12 && index < 24) picture.set(moved(picture, dx, dy))
      }
    const place = fixed(50, 50, 40, 24)
    expect(watch(barrier, place).flicker).toBeLessThan(0.1)
    expect(watch(gust(barrier), place).flicker).toBeLessThan(0.3)
    const { signs } = watch(gust(flame({ x: 60, y: 50, w: 30, h: 40 })), fixed(58, 45, 34, 48))
    expect(Math.min(...signs.slice(14).map(({ flicker }) => flicker))).toBeGreaterThan(0.5)
  })

  it('ignores a blinking light, whose parts change together', () => {
    const blink: Draw = (picture, index) => {
      if (Math.floor(index * 0.6) % 2) area(picture, { x: 60, y: 60, w: 12, h: 8 }, (x) => [[255, 160 - x, 50], 1])
    }
    expect(watch(blink, fixed(58, 58, 16, 12)).flicker).toBeLessThan(0.3)
  })

  it('is undecided where people cover the colours of flames, and sees the flame beside a person', () => {
    const box = fixed(58, 45, 34, 48)
    const burns = flame({ x: 60, y: 50, w: 30, h: 40 })
    const seen = (x: number, w: number) => watch(burns, box, 'fire', () => [{ x, y: 30, w, h: 70 }]).last.flicker
    expect(seen(58, 34)).toBe(0.3)
    expect(seen(58, 8)).toBeGreaterThan(0.8)
  })

  it('mistakes sparks for fire, because the picture is too small to distinguish them', () => {
    const sparks: Draw = (picture) => {
      for (let spark = 0; spark < 40; spark++) {
        const [angle, far] = [dice() * Math.PI, dice() * 14]
        dot(picture, 62 + far * Math.cos(angle), 62 + far * Math.sin(angle), [255, 180, 80])
      }
    }
    expect(watch(sparks, fixed(48, 60, 28, 18)).flicker).toBeGreaterThan(0.5)
  })
})

describe('signs of smoke', () => {
  const plume: Draw = (picture, index) =>
    area(picture, { x: 50, y: 20, w: 40, h: 60 }, (x, y) => {
      const t = index / 5
      const billow =
        Math.sin(x * 0.35 + t * 2.1 + 2 * Math.sin(y * 0.2 - t * 3)) +
        Math.sin(y * 0.3 + t * 3.3) +
        Math.sin((x + y) * 0.17 - t * 1.7)
      const inside = 1 - Math.abs(x - 20) / (8 + (60 - y) * 0.25)
      return [[185, 185, 190], Math.max(0, Math.min(0.85, inside * Math.min(1, index / 20) * (0.55 + 0.17 * billow)))]
    })

  it('detects billowing grey that hides the background', () => {
    const { last } = watch(plume, fixed(55, 25, 30, 50), 'smoke')
    expect(last.colour).toBeGreaterThan(0.45)
    expect(last.flicker).toBeGreaterThan(0.5)
  })

  it('finds no billows in fog and no veil on a road', () => {
    const fog: Draw = (picture, index) =>
      area(picture, { x: 0, y: 0, w: WIDTH, h: HEIGHT }, () => [[190, 190, 192], Math.min(0.7, index / 100)])
    expect(watch(fog, fixed(32, 24, 64, 60), 'smoke').flicker).toBeLessThan(0.2)
    const still: Draw = (picture) => picture.set(footage[0] as Uint8Array)
    expect(watch(still, fixed(90, 50, 30, 20), 'smoke').last.colour).toBeLessThan(0.45)
  })

  it('finds no flicker in a passing grey van', () => {
    const at = (index: number) => ({ x: index * 3, y: 85, w: 40, h: 26 })
    const van: Draw = (picture, index) => area(picture, at(index), () => [[190, 190, 192], 1])
    expect(watch(van, at, 'smoke').flicker).toBeLessThan(0.5)
  })

  it('is undecided on slow smoke, and sees none in a wall that was painted at once', () => {
    const cloud = (x: number, y: number, index: number) =>
      Math.max(0, Math.min(0.7, 1.2 - Math.hypot(x - 20, (y - 60 + index) * 0.8) / (8 + index / 3)))
    const slow: Draw = (picture, index) =>
      area(picture, { x: 50, y: 20, w: 40, h: 60 }, (x, y) => [[175, 175, 180], cloud(x, y, index)])
    const painted: Draw = (picture) => area(picture, { x: 50, y: 20, w: 40, h: 60 }, () => [[175, 175, 180], 0.7])
    expect(watch(slow, fixed(55, 25, 30, 50), 'smoke').last.flicker).toBeCloseTo(0.2)
    expect(watch(painted, fixed(55, 25, 30, 50), 'smoke').last.flicker).toBeLessThan(0.05)
  })

  it('counts nothing where people walk to and fro, and smoke beside them', () => {
    const wall = fixed(40, 30, 70, 60)()
    const person = (index: number) => ({ x: 66 + Math.round(14 * Math.sin(index)), y: 32, w: 18, h: 58 })
    const walk: Draw = (picture, index) => area(picture, person(index), () => [[70, 70, 74], 1])
    const seen = (draw: Draw, people?: (index: number) => Box[]) => watch(draw, () => wall, 'smoke', people).last
    const known = (index: number) => (index < 0 ? [] : [person(index)])
    expect(seen(walk)).toMatchObject({ flicker: 1 })
    expect(seen(walk, known).flicker).toBeLessThan(0.1)
    expect(seen(walk, known).colour).toBeLessThan(0.45)
    const both: Draw = (picture, index) => {
      walk(picture, index)
      plume(picture, index)
    }
    expect(seen(both, (index) => [{ ...person(index), x: 96, w: 12 }]).flicker).toBeGreaterThan(0.5)
  })
})

describe('createFireEvidence', () => {
  it('returns null before it has enough pictures and after a pause', () => {
    const evidence = createFireEvidence()
    const everywhere = { x: 0, y: 0, w: 1, h: 1 }
    expect(evidence.of('fire', everywhere)).toBeNull()
    expect(evidence.restless()).toEqual([])
    for (let index = 0; index < 7; index++)
      evidence.update(footage[index] as Uint8Array, WIDTH, HEIGHT, index * STEP_MS)
    expect(evidence.of('smoke', everywhere)).toBeNull()
    evidence.update(footage[7] as Uint8Array, WIDTH, HEIGHT, 1_400)
    expect(evidence.of('smoke', everywhere)).not.toBeNull()
    evidence.update(footage[8] as Uint8Array, WIDTH, HEIGHT, 60_000)
    expect(evidence.of('fire', everywhere)).toBeNull()
  })

  it('restarts when the clock of the stream goes back', () => {
    const everywhere = { x: 0, y: 0, w: 1, h: 1 }
    const after = (startsMs: readonly number[]) => {
      const evidence = createFireEvidence()
      for (const startMs of startsMs)
        for (let index = 0; index < 10; index++)
          evidence.update(footage[index] as Uint8Array, WIDTH, HEIGHT, startMs + index * STEP_MS)
      return evidence.of('smoke', everywhere)
    }
    expect(after([3_600_000, 0])).toEqual(after([0]))
  })

  it('rejects a buffer of the wrong size', () => {
    expect(() => createFireEvidence().update(new Uint8Array(10), WIDTH, HEIGHT, 0)).toThrow(RangeError)
  })
})
