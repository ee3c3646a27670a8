import { expect, it } from 'vitest'
import { cornersOf } from './picture.ts'
import { textBoxes } from './text-boxes.ts'

/** A map with a bar of this probability, turned by `angle` around its centre. */
function mapWith(bar: { x: number; y: number; length: number; thick: number; angle: number; value: number }) {
  const [width, height] = [160, 120]
  const data = new Float32Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x + 0.5 - bar.x, y + 0.5 - bar.y]
      const along = dx * Math.cos(bar.angle) + dy * Math.sin(bar.angle)
      const across = dy * Math.cos(bar.angle) - dx * Math.sin(bar.angle)
      if (Math.abs(along) <= bar.length / 2 && Math.abs(across) <= bar.thick / 2) data[y * width + x] = bar.value
    }
  return { width, height, data }
}
const bar = { x: 80, y: 60, length: 60, thick: 12, angle: 0.3, value: 0.9 }

it('finds a turned line and grows it', () => {
  const [box, ...others] = textBoxes(mapWith(bar))
  expect(others).toEqual([])
  expect(box?.angle).toBeCloseTo(0.3, 1)
  expect(box?.centre.x).toBeCloseTo(80, 0)
  expect(box?.centre.y).toBeCloseTo(60, 0)
  // 60 x 12 x 1.6 / (60 + 12) = 16 pixels more, over both sides.
  expect(box?.width).toBeGreaterThan(72)
  expect(box?.width).toBeLessThan(82)
  expect(box?.height).toBeGreaterThan(25)
  expect(box?.height).toBeLessThan(34)
})

it('reads a steep line from left to right', () => {
  const [box] = textBoxes(mapWith({ ...bar, angle: -0.6 }))
  if (!box) throw new Error('no box')
  const [topLeft, topRight, , bottomLeft] = cornersOf(box)
  expect(topRight.x).toBeGreaterThan(topLeft.x)
  expect(bottomLeft.y).toBeGreaterThan(topLeft.y)
})

it('drops faint and tiny regions', () => {
  expect(textBoxes(mapWith({ ...bar, value: 0.4 }))).toEqual([])
  expect(textBoxes(mapWith({ ...bar, length: 2, thick: 2 }))).toEqual([])
})
