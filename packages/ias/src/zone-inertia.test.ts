import { describe, expect, it } from 'vitest'
import { type Box, type Point, polygons } from './geometry.ts'
import type { ObservedTrack } from './observation.ts'
import { seen, wayOf } from './test-scene.ts'
import { createZoneInertia } from './zone-inertia.ts'

const STEP_MS = 200
/** x and y from 0.4 to 0.6; a person in these tests is 0.1 wide and 0.2 high. */
const square = polygons([[0.4, 0.4, 0.6, 0.4, 0.6, 0.6, 0.4, 0.6]])
const at = ({ x, y }: Point): Box => ({ x: x - 0.05, y: y - 0.2, w: 0.1, h: 0.2 })
const track = (box: Box, rest: Partial<ObservedTrack> = {}) => seen(1, 'person', box, { hits: 1, ...rest })

/** The zone of the track after each foot point, one every 200 ms. */
function walk(zones: readonly (readonly Point[])[], feet: readonly Point[], stepMs = STEP_MS) {
  const inertia = createZoneInertia(zones)
  return feet.map((foot, index) => {
    inertia.update([track(at(foot))], index * stepMs)
    return inertia.zoneOf(1)
  })
}
const times = (count: number, point: Point) => Array.from({ length: count }, () => point)
const changes = (zonesAfter: readonly unknown[]) => zonesAfter.filter((place, index) => place !== zonesAfter[index - 1])

describe('one zone', () => {
  it('is the whole frame without zones', () => {
    expect(walk([], times(2, { x: 0.1, y: 0.1 }))).toEqual([null, null])
    expect(createZoneInertia([]).zoneOf(99)).toBeNull()
    expect(createZoneInertia(square).zoneOf(99)).toBe('fora')
  })

  it('is entered and left at once with a clear distance', () => {
    expect(
      walk(square, [
        { x: 0.3, y: 0.5 },
        { x: 0.45, y: 0.5 },
        { x: 0.38, y: 0.5 },
      ]),
    ).toEqual(['fora', 0, 'fora'])
  })

  it('is entered near the edge after 600 ms and left after 3 s', () => {
    const entering = walk(square, times(6, { x: 0.405, y: 0.5 }))
    expect(entering.indexOf(0)).toBe(3)
    const leaving = walk(square, [{ x: 0.5, y: 0.5 }, ...times(19, { x: 0.395, y: 0.5 })])
    expect(leaving.slice(1).indexOf('fora')).toBe(15)
  })

  it('is not entered by two detections, at any distance in time', () => {
    expect(walk(square, times(2, { x: 0.405, y: 0.5 }), 10_000)).toEqual(['fora', 'fora'])
  })

  it('is entered by a person who runs through a strip thinner than the box', () => {
    const strip = polygons([[0, 0.5, 1, 0.5, 1, 0.53, 0, 0.53]])
    expect(changes(walk(strip, wayOf({ x: 0.5, y: 0.4 }, { x: 0.5, y: 0.63 }, 15)))).toEqual(['fora', 0, 'fora'])
  })

  it('reaches the border of the picture where it is drawn near it', () => {
    const bottom = polygons([[0, 0.8, 1, 0.8, 1, 0.992, 0, 0.992]])
    expect(walk(bottom, [{ x: 0.5, y: 1.1 }])).toEqual([0])
    expect(walk(polygons([[0, 0, 1, 0, 1, 1, 0, 1]]), [{ x: 0, y: 0.3 }])).toEqual([0])
    const hair = polygons([[0.991, 0, 0.999, 0, 0.999, 1, 0.991, 1]])
    expect(walk(hair, times(4, { x: 0.995, y: 0.5 })).at(-1)).toBe(0)
  })
})

it('ignores predicted tracks and forgets ended ones', () => {
  const inertia = createZoneInertia(square)
  inertia.update([track(at({ x: 0.5, y: 0.5 }))], 0)
  inertia.update([track(at({ x: 0.1, y: 0.5 }), { predicted: true })], 200)
  expect(inertia.zoneOf(1)).toBe(0)
  inertia.update([], 400)
  expect(inertia.zoneOf(1)).toBe('fora')
})

it('uses the given anchor point of the box', () => {
  const inertia = createZoneInertia(square, ({ x, y, w, h }) => ({ x: x + w / 2, y: y + h / 2 }))
  inertia.update([track({ x: 0.45, y: 0.3, w: 0.1, h: 0.4 })], 0)
  expect(inertia.zoneOf(1)).toBe(0)
})

describe('two zones', () => {
  const touching = polygons([
    [0, 0, 0.5, 0, 0.5, 1, 0, 1],
    [0.5, 0, 1, 0, 1, 1, 0.5, 1],
  ])
  const apart = polygons([
    [0, 0, 0.49, 0, 0.49, 1, 0, 1],
    [0.495, 0, 1, 0, 1, 1, 0.495, 1],
  ])
  const overlapping = polygons([
    [0, 0, 0.6, 0, 0.6, 1, 0, 1],
    [0.4, 0, 1, 0, 1, 1, 0.4, 1],
  ])
  const across = wayOf({ x: 0.2, y: 0.7 }, { x: 0.8, y: 0.7 }, 60)

  it('pass an object directly from one to the other when they touch or almost touch', () => {
    expect(changes(walk(touching, across))).toEqual([0, 1])
    expect(changes(walk(apart, across))).toEqual([0, 1])
  })

  it('keep an object in the zone that it entered first while they overlap', () => {
    const zonesAfter = walk(overlapping, across)
    expect(changes(zonesAfter)).toEqual([0, 1])
    expect(across[zonesAfter.indexOf(1)]?.x).toBeGreaterThan(0.6)
    const back = walk(overlapping, [...across].reverse())
    expect(changes(back)).toEqual([1, 0])
    expect([...across].reverse()[back.indexOf(0)]?.x).toBeLessThan(0.4)
  })
})

describe('at the edge', () => {
  /** Deterministic noise between -1 and 1. */
  const noise = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 1_073_741_824 - 1
  }

  it.each([1, 2, 3, 4, 5])('changes no zone for a person who walks along it for a minute (seed %i)', (seed) => {
    const random = noise(seed)
    const feet = Array.from({ length: 300 }, (_, i) => ({ x: 0.405 + i * 0.0006, y: 0.4 + random() * 0.012 }))
    expect(changes(walk(square, feet)).length).toBeLessThanOrEqual(3)
  })

  it('is entered and left exactly once, at any speed and angle', () => {
    const random = noise(7)
    for (let round = 0; round < 300; round++) {
      const angle = Math.PI * random()
      const out = { x: 0.5 + 0.3 * Math.cos(angle), y: 0.5 + 0.3 * Math.sin(angle) }
      const steps = 5 + Math.round(60 * Math.abs(random()))
      const way = [...wayOf(out, { x: 0.5, y: 0.5 }, steps), ...wayOf({ x: 0.5, y: 0.5 }, out, steps)]
      const shaky = way.map(({ x, y }) => ({ x: x + random() * 0.006, y: y + random() * 0.006 }))
      expect(changes(walk(square, shaky)), `round ${round}`).toEqual(['fora', 0, 'fora'])
    }
  })
})
