import { createLineCrossing } from '@vigia/ias/line-crossing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arrowPoints, fractionAt, middle, scaled } from './pixels.ts'

const SIZE = { width: 640, height: 360 }
const coordinate = fc.double({ min: 0.2, max: 0.8, noNaN: true })
const point = fc.record({ x: coordinate, y: coordinate })

/** Side of the line on which a pixel lies: 1 right of the arrow from `from` to `to`. */
const sideOf = (from: { x: number; y: number }, to: { x: number; y: number }, at: { x: number; y: number }) =>
  Math.sign((to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x))

it('the arrow ab points to the right side of the line, ba to the left side', () => {
  fc.assert(
    fc.property(point, point, (a, b) => {
      const [from, to] = [scaled(a, SIZE), scaled(b, SIZE)]
      fc.pre(Math.hypot(to.x - from.x, to.y - from.y) > 1)
      for (const [direction, side] of [
        ['ab', 1],
        ['ba', -1],
      ] as const)
        for (const corner of arrowPoints(from, to, direction)) expect(sideOf(from, to, corner)).toBe(side)
    }),
  )
})

it('the arrow ab is the direction that the analysis reports', () => {
  const line = [
    { x: 0.1, y: 0.5 },
    { x: 0.9, y: 0.5 },
  ] as const
  const crossing = createLineCrossing(line)
  const feet = (y: number, ms: number) => crossing.follow({ x: 0.45, y: y - 0.2, w: 0.1, h: 0.2 }, ms)
  const directions = [0.2, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9].map((y, i) => feet(y, i * 200)).filter(Boolean)
  const tip = arrowPoints(scaled(line[0], SIZE), scaled(line[1], SIZE), directions[0] ?? 'ba')[2]
  expect(directions).toEqual(['ab'])
  expect(tip?.y).toBeGreaterThan(180)
})

it('a pointer is a fraction of the board', () => {
  const board = { left: 10, top: 20, ...SIZE }
  expect(fractionAt({ clientX: 330, clientY: 200 }, board)).toEqual({ x: 0.5, y: 0.5 })
  expect(
    middle([
      { x: 0, y: 0 },
      { x: 2, y: 4 },
    ]),
  ).toEqual({ x: 1, y: 2 })
})
