import { expect, it } from 'vitest'
import { zoneOutline } from './zone-outline.ts'

const two = [
  [0, 0, 1, 0, 0.5, 1],
  [0.1, 0.1, 0.2, 0.1, 0.2, 0.2],
]
const single = [
  [0, 0],
  [1, 0],
  [0.5, 1],
]

it('finds the polygon of a zone in both forms of the API', () => {
  expect(zoneOutline(two, 1)).toBe('0.1,0.1 0.2,0.1 0.2,0.2')
  expect(zoneOutline(single, 0)).toBe('0,0 1,0 0.5,1')
})

it('returns null for the whole frame, and for a zone that was removed since', () => {
  for (const [zonas, zona] of [
    [two, null],
    [two, 2],
    [single, 1],
    [[], 0],
  ] as const)
    expect(
      zoneOutline(
        zonas.map((one) => [...one]),
        zona,
      ),
    ).toBeNull()
})
