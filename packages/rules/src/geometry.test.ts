import { describe, expect, it } from 'vitest'
import { footOf, lineEnds, overlapOf, pointInPolygon, polygons, zoneOf } from './geometry.ts'

const square = [
  [0.2, 0.2],
  [0.8, 0.2],
  [0.8, 0.8],
  [0.2, 0.8],
]
/** A U: the notch in its middle is outside. */
const u = [0, 0, 0.3, 0, 0.3, 0.7, 0.7, 0.7, 0.7, 0, 1, 0, 1, 1, 0, 1]

describe('polygons', () => {
  it('takes a list of points as one polygon and lists of coordinates as one polygon each', () => {
    expect(polygons(square)).toHaveLength(1)
    expect(polygons(square)[0]).toHaveLength(4)
    expect(polygons([u, square.flat()]).map((polygon) => polygon.length)).toEqual([8, 4])
    expect(polygons([])).toEqual([])
  })

  it('reads both forms of the line', () => {
    const ends = [
      { x: 0.1, y: 0.2 },
      { x: 0.3, y: 0.4 },
    ]
    expect(lineEnds([[0.1, 0.2, 0.3, 0.4]])).toEqual(ends)
    expect(
      lineEnds([
        [0.1, 0.2],
        [0.3, 0.4],
      ]),
    ).toEqual(ends)
    expect(lineEnds([])).toBeNull()
  })
})

describe('pointInPolygon', () => {
  const [shape = []] = polygons([u])
  it.each([
    [{ x: 0.1, y: 0.5 }, true],
    [{ x: 0.5, y: 0.3 }, false],
    [{ x: 0.5, y: 0.9 }, true],
    [{ x: 1.1, y: 0.9 }, false],
    // the border belongs to the zone, so that one drawn to the edge of the picture holds what stands at the edge
    [{ x: 0.5, y: 1 }, true],
    [{ x: 0, y: 0 }, true],
    [{ x: 0.3, y: 0.4 }, true],
  ])('%o in a U: %s', (point, expected) => {
    expect(pointInPolygon(point, shape)).toBe(expected)
  })

  it('holds nothing with fewer than three points', () => {
    expect(pointInPolygon({ x: 0, y: 0 }, [])).toBe(false)
    expect(pointInPolygon({ x: 0, y: 0 }, [{ x: 0, y: 0 }])).toBe(false)
  })
})

describe('zoneOf', () => {
  const lowerHalf = [0, 0.5, 1, 0.5, 1, 1, 0, 1]
  const leftThird = [0, 0, 0.33, 0, 0.33, 1, 0, 1]

  it('looks at the feet, not at the head', () => {
    const zones = polygons([lowerHalf])
    expect(zoneOf({ x: 0.4, y: 0.3, w: 0.1, h: 0.3 }, zones)).toBe(0)
    expect(zoneOf({ x: 0.4, y: 0.1, w: 0.1, h: 0.3 }, zones)).toBe('fora')
  })

  it('names the first zone that holds it, and null where there is none', () => {
    const zones = polygons([leftThird, lowerHalf])
    expect(zoneOf({ x: 0.7, y: 0.5, w: 0.1, h: 0.3 }, zones)).toBe(1)
    expect(zoneOf({ x: 0.1, y: 0.5, w: 0.1, h: 0.3 }, zones)).toBe(0)
    expect(zoneOf({ x: 0.1, y: 0.5, w: 0.1, h: 0.3 }, [])).toBeNull()
  })

  it('keeps the foot of a box that reaches below the picture inside it', () => {
    expect(footOf({ x: 0.4, y: 0.8, w: 0.2, h: 0.4 })).toEqual({ x: 0.5, y: 1 })
    expect(zoneOf({ x: 0.4, y: 0.8, w: 0.2, h: 0.4 }, polygons([lowerHalf]))).toBe(0)
  })
})

it('measures overlap as intersection over union', () => {
  const box = { x: 0, y: 0, w: 0.2, h: 0.2 }
  expect(overlapOf(box, box)).toBeCloseTo(1)
  expect(overlapOf(box, { ...box, x: 0.1 })).toBeCloseTo(1 / 3)
  expect(overlapOf(box, { ...box, x: 0.5 })).toBe(0)
})
