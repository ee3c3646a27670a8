import { describe, expect, it } from 'vitest'
import {
  borderDistance,
  footOf,
  insideShare,
  interiorScale,
  iou,
  lineEnds,
  pointInPolygon,
  polygons,
} from './geometry.ts'

const square = [
  [0.2, 0.2],
  [0.8, 0.2],
  [0.8, 0.8],
  [0.2, 0.8],
]
/** A polygon in the form of a U; its notch is outside. */
const u = [0, 0, 0.3, 0, 0.3, 0.7, 0.7, 0.7, 0.7, 0, 1, 0, 1, 1, 0, 1]

describe('polygons', () => {
  it('reads a list of points as one polygon, and lists of coordinates as one polygon each', () => {
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
    // includes the border, so that a zone drawn to the edge of the picture contains objects at the edge
    [{ x: 0.5, y: 1 }, true],
    [{ x: 0, y: 0 }, true],
    [{ x: 0.3, y: 0.4 }, true],
  ])('%o in a U: %s', (point, expected) => {
    expect(pointInPolygon(point, shape)).toBe(expected)
  })

  it('contains no point with fewer than three corners', () => {
    expect(pointInPolygon({ x: 0, y: 0 }, [])).toBe(false)
    expect(pointInPolygon({ x: 0, y: 0 }, [{ x: 0, y: 0 }])).toBe(false)
  })
})

it('uses the middle of the lower side as the foot, inside the frame', () => {
  expect(footOf({ x: 0.4, y: 0.25, w: 0.2, h: 0.5 })).toEqual({ x: 0.5, y: 0.75 })
  expect(footOf({ x: 0.4, y: 0.8, w: 0.2, h: 0.4 })).toEqual({ x: 0.5, y: 1 })
})

describe('depth of a point in a zone, in widths and heights of the object', () => {
  const unit = { x: 0, y: 0, w: 0.1, h: 0.2 }
  const [zone = []] = polygons([[0.2, 0.2, 0.8, 0.2, 0.8, 0.8, 0.2, 0.8]])
  const [lowerHalf = []] = polygons([[0, 0.5, 1, 0.5, 1, 1, 0, 1]])

  it('measures to the nearest side, from inside and outside', () => {
    expect(borderDistance({ x: 0.3, y: 0.5 }, zone, unit)).toBeCloseTo(1)
    expect(borderDistance({ x: 0.5, y: 0.3 }, zone, unit)).toBeCloseTo(0.5)
    expect(borderDistance({ x: 0.1, y: 0.0 }, zone, unit)).toBeCloseTo(Math.SQRT2)
  })

  it('ignores sides on the border of the picture', () => {
    expect(borderDistance({ x: 0, y: 1 }, lowerHalf, unit)).toBeCloseTo(2.5)
    expect(borderDistance({ x: 0, y: 1 }, polygons([[0, 0, 1, 0, 1, 1, 0, 1]])[0] ?? [], unit)).toBe(Infinity)
  })

  it('gives the thickness of a zone', () => {
    const [strip = []] = polygons([[0, 0.5, 1, 0.5, 1, 0.6, 0, 0.6]])
    expect(interiorScale(strip, unit)).toBeCloseTo(0.25)
    expect(interiorScale(zone, { ...unit, h: 0.1 })).toBeCloseTo(1.5)
  })
})

it('measures overlap as intersection over union', () => {
  const box = { x: 0, y: 0, w: 0.2, h: 0.2 }
  expect(iou(box, box)).toBeCloseTo(1)
  expect(iou(box, { ...box, x: 0.1 })).toBeCloseTo(1 / 3)
  expect(iou(box, { ...box, x: 0.5 })).toBe(0)
  expect(insideShare(box, { x: 0.1, y: 0, w: 0.4, h: 0.2 })).toBeCloseTo(0.5)
  expect(insideShare(box, { ...box, x: 0.5 })).toBe(0)
})
