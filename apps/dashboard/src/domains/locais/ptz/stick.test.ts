import { expect, it } from 'vitest'
import { isMoveKey, velocityOfKeys, velocityOfPointer } from './stick.ts'

it('adds the held keys, and opposite keys cancel each other', () => {
  expect(velocityOfKeys(new Set(['ArrowLeft', 'ArrowUp', '+']))).toEqual({ x: -0.6, y: 0.6, zoom: 0.6 })
  expect(velocityOfKeys(new Set(['ArrowLeft', 'ArrowRight']))).toBeNull()
  expect(velocityOfKeys(new Set())).toBeNull()
  expect([isMoveKey('ArrowUp'), isMoveKey('a'), isMoveKey('constructor')]).toEqual([true, false, false])
})

it.each([
  [0.1, 0, null],
  [0.5, 0, { x: 0.6, y: 0, zoom: 0 }],
  [0, -3, { x: 0, y: 1, zoom: 0 }],
  [-1, 1, { x: -0.8, y: -0.8, zoom: 0 }],
])('a pointer at (%s, %s) of the radius moves by %j', (dx, dy, velocity) => {
  const found = velocityOfPointer(dx, dy)
  if (velocity === null) expect(found).toBeNull()
  else for (const axis of ['x', 'y', 'zoom'] as const) expect(found?.[axis]).toBeCloseTo(velocity[axis])
})
