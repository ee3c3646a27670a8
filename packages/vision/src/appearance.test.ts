import { likenessOf, mayBeOne } from '@vigia/ias/appearance'
import { expect, it } from 'vitest'
import { appearanceOf } from './appearance.ts'

const [WIDTH, HEIGHT] = [40, 80]
const PERSON = { x: 0.2, y: 0.1, w: 0.5, h: 0.8 }
type Rgb = readonly [number, number, number]

/** A person in a shirt and trousers of these colours, before a blue wall; `gain`: of the light. */
function dressed(shirt: Rgb, trousers: Rgb, gain = 1) {
  const rgb = Buffer.alloc(3 * WIDTH * HEIGHT)
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const [x, y] = [(at % WIDTH) / WIDTH, Math.floor(at / WIDTH) / HEIGHT]
    const body = y < 0.5 ? shirt : trousers
    const colour = x > 0.25 && x < 0.65 ? body : ([40, 60, 200] as const)
    colour.forEach((value, channel) => {
      rgb[3 * at + channel] = Math.min(255, value * gain)
    })
  }
  return appearanceOf({ rgb, width: WIDTH, height: HEIGHT }, PERSON) ?? []
}

const RED = [180, 40, 40] as const
const BLACK = [20, 20, 24] as const
const WHITE = [220, 220, 220] as const

it('is the distribution of the colours inside the box, with the sum 1', () => {
  expect(dressed(RED, BLACK).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1)
  expect(likenessOf(dressed(RED, BLACK), dressed(RED, BLACK))).toBeCloseTo(1)
})

it('is one person in a little more light, and not in other clothes', () => {
  const person = dressed(RED, BLACK)
  expect(mayBeOne(person, dressed(RED, BLACK, 1.2))).toBe(true)
  expect(mayBeOne(person, dressed(WHITE, BLACK))).toBe(false)
  expect(mayBeOne(person, dressed(BLACK, RED))).toBe(false)
  expect(mayBeOne(person, undefined)).toBe(true)
})

it('is unknown for a person of few pixels', () => {
  expect(appearanceOf({ rgb: Buffer.alloc(3 * 100), width: 10, height: 10 }, { x: 0, y: 0, w: 0.3, h: 0.5 })).toBeNull()
})
