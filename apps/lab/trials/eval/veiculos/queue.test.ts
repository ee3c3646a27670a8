import { expect, it } from 'vitest'
import { drawQueue, queueAt } from './queue.ts'

const scene = { rgb: Buffer.alloc(3 * 100 * 50, 100), width: 100, height: 50 }
const car = { name: 'car', width: 20, height: 10, rgb: Buffer.alloc(3 * 20 * 10, 200) }

it('puts the cars behind each other and moves them to the right', () => {
  const [first, second] = queueAt([car, car], scene, 0.8, 0)
  expect(first).toMatchObject({ x: 0.04, w: 0.2, h: 0.2 })
  expect(first?.y).toBeCloseTo(0.6)
  expect(second?.x).toBeCloseTo(0.29)
  expect(queueAt([car], scene, 0.8, 1)[0]?.x).toBeCloseTo(0.16)
})

it('draws a car with its light into a copy of the scene', () => {
  const boxes = queueAt([car], scene, 0.8, 0)
  const pixel = ({ rgb }: { rgb: Buffer }, x: number, y: number) => rgb[3 * (y * 100 + x)]
  expect(pixel(drawQueue(scene, [car], boxes, 1), 14, 35)).toBe(200)
  expect(pixel(drawQueue(scene, [car], boxes, 0.25), 14, 35)).toBe(50)
  expect(pixel(drawQueue(scene, [car], boxes, 1), 60, 35)).toBe(100)
  expect(pixel(scene, 14, 35)).toBe(100)
})
