import type { Box } from '@vigia/ias/geometry'
import { describe, expect, it } from 'vitest'
import { createPeopleRegions, LEAST_PERSON_PX } from './people-regions.ts'
import { contains } from './region-shape.ts'
import type { PlanAbout } from './regions.ts'
import { about, frame } from './testing/plans.ts'
import { trackAt } from './testing/tracks.ts'

const input = { width: 112, height: 144 }
const plan = (more: Partial<PlanAbout>) => createPeopleRegions().plan(about({ input, ...more }))
/** Someone `px` high. */
const person = (x: number, y: number, px = 180): Box => ({ x, y, w: (px * 0.4) / frame.width, h: px / frame.height })

describe('createPeopleRegions', () => {
  it.each([
    ['in the middle', person(0.4, 0.4)],
    ['in a corner', person(0, 0)],
    ['in the other corner', person(0.94, 0.75)],
    ['far away', person(0.5, 0.2, 45)],
    ['that fills the picture', { x: 0.3, y: 0.02, w: 0.3, h: 0.96 }],
  ])('shows head and torso of a person %s with surroundings, in the proportions of the picture', (_, box) => {
    const [only, ...more] = plan({ tracks: [trackAt(7, box)] })
    expect(more).toEqual([])
    expect(only?.trackId).toBe(7)
    const region = only?.region as Box
    expect((region.w * frame.width) / (region.h * frame.height)).toBeCloseTo(input.width / input.height, 5)
    expect(contains({ x: 0, y: 0, w: 1, h: 1 }, region)).toBe(true)
    expect(contains(region, { ...box, h: 0.6 * box.h })).toBe(true)
    // The upper part has at least half the region's height, unless the enlargement would only show blur.
    expect((0.62 * box.h) / region.h).toBeGreaterThan(0.45)
  })

  it('shows the upper body of a person who is larger than any region', () => {
    const portrait = { width: 720, height: 1280 }
    const [only] = plan({ frame: portrait, tracks: [trackAt(1, { x: 0.05, y: 0.05, w: 0.9, h: 0.9 })] })
    expect(only?.region.y).toBe(0)
    expect(only?.region.w).toBe(1)
  })

  it('skips people too small for a visible helmet, predicted tracks and other objects', () => {
    const low = LEAST_PERSON_PX - 1
    expect(plan({ tracks: [trackAt(1, person(0.5, 0.5, low))] })).toEqual([])
    expect(plan({ tracks: [trackAt(1, person(0.5, 0.5), 0, { predicted: true })] })).toEqual([])
    expect(plan({ tracks: [trackAt(1, person(0.5, 0.5), 0, { rotulo: 'car' })] })).toEqual([])
    expect(plan({ tracks: [trackAt(1, person(0.5, 0.5))], budget: 0 })).toEqual([])
  })

  it('joins people who stand together in a region where each is large enough', () => {
    const together = plan({ tracks: [trackAt(1, person(0.4, 0.4)), trackAt(2, person(0.44, 0.42))], budget: 1 })
    expect(together.map(({ trackId }) => trackId)).toEqual([1, 2])
    expect(together[0]?.region).toEqual(together[1]?.region)
    const apart = plan({ tracks: [trackAt(1, person(0.1, 0.4)), trackAt(2, person(0.8, 0.4))], budget: 1 })
    expect(apart).toHaveLength(1)
    const child = plan({ tracks: [trackAt(1, person(0.4, 0.2, 400)), trackAt(2, person(0.42, 0.6, 60))], budget: 1 })
    expect(child).toHaveLength(1)
  })

  it('takes the person with the oldest inference first, so that each gets a turn', () => {
    const boxes = Array.from({ length: 6 }, (_, index) => person(0.01 + index * 0.17, 0.1 + (index % 2) * 0.5))
    const people = createPeopleRegions()
    const seen: number[] = []
    for (let atMs = 0; atMs < 2_400; atMs += 200) {
      const tracks = boxes.map((box, id) => trackAt(id, box, atMs))
      seen.push(...people.plan(about({ tracks, atMs, budget: 1 })).map(({ trackId }) => trackId))
    }
    expect(new Set(seen.slice(0, 6)).size).toBe(6)
    expect(seen.slice(6)).toEqual(seen.slice(0, 6))
    const newcomer = trackAt(9, person(0.5, 0.3), 2_400)
    const tracks = [...boxes.map((box, id) => trackAt(id, box, 2_400)), newcomer]
    expect(people.plan(about({ tracks, atMs: 2_400, budget: 1 }))[0]?.trackId).toBe(9)
  })
})
