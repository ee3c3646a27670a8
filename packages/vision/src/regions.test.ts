import type { Box } from '@vigia/ias/geometry'
import { describe, expect, it } from 'vitest'
import { contains } from './region-shape.ts'
import { createRegionPlanner, type PlanAbout } from './regions.ts'
import { about, frame, input } from './testing/plans.ts'
import { trackAt } from './testing/tracks.ts'

/** A person 25 px high. */
const far = (x: number, y: number): Box => ({ x, y, w: 0.008, h: 25 / 720 })
const near: Box = { x: 0.4, y: 0.3, w: 0.12, h: 0.5 }

const plan = (more: Partial<PlanAbout>) => createRegionPlanner().plan(about(more))
const around = (box: Box, margin: number): Box => ({
  x: box.x - margin,
  y: box.y - margin,
  w: box.w + 2 * margin,
  h: box.h + 2 * margin,
})

function expectSound(region: Box) {
  expect(contains({ x: 0, y: 0, w: 1, h: 1 }, region)).toBe(true)
  const [width, height] = [region.w * frame.width, region.h * frame.height]
  expect(width / height).toBeCloseTo(input.width / input.height, 5)
  expect(width).toBeGreaterThanOrEqual(input.width / 1.5 - 1e-6)
  expect(width).toBeLessThanOrEqual(960 / 1.5 + 1e-6)
}

describe('createRegionPlanner', () => {
  it('plans nothing for an empty frame and for a frame not larger than the detector’s picture', () => {
    expect(plan({})).toEqual([])
    const small = { width: 384, height: 288 }
    expect(plan({ frame: small, motion: [far(0.5, 0.5)], tracks: [trackAt(1, far(0.2, 0.2))] })).toEqual([])
    expect(plan({ motion: [far(0.5, 0.5)], budget: 0 })).toEqual([])
  })

  it.each([
    [0.5, 0.5],
    [0, 0],
    [0.99, 0.96],
    [0.99, 0],
  ])('plans motion at %f, %f with its surroundings, enlarged one and a half times', (x, y) => {
    const [region, ...more] = plan({ motion: [far(x, y)] })
    expect(more).toEqual([])
    expectSound(region as Box)
    expect(contains(region as Box, far(x, y))).toBe(true)
    expect((region as Box).w * frame.width).toBeCloseTo(input.width / 1.5, 5)
  })

  it('skips motion that a well visible object explains, and most of a large movement', () => {
    const walker = trackAt(1, near)
    expect(plan({ motion: [around(near, 0.02)], tracks: [walker] })).toEqual([])
    expect(plan({ motion: [around(near, 0.02), far(0.9, 0.1)], tracks: [walker] })).toHaveLength(1)
    const planner = createRegionPlanner()
    const plans = Array.from({ length: 50 }, (_, index) => planner.plan(about({ motion: [near], atMs: index * 200 })))
    expect(plans.flat().length).toBeLessThanOrEqual(12)
  })

  it('plans small tracks, weak ones first, and skips well visible ones and those that left the picture', () => {
    expect(plan({ tracks: [trackAt(1, far(0.3, 0.3))] })).toHaveLength(1)
    const middle = { x: 0.3, y: 0.3, w: 0.05, h: 0.2 }
    expect(plan({ tracks: [trackAt(1, middle)] })).toEqual([])
    expect(plan({ tracks: [trackAt(1, middle, 0, { confianca: 0.3 })] })).toEqual([])
    const two = [trackAt(1, far(0.1, 0.1)), trackAt(2, far(0.8, 0.8), 0, { confianca: 0.3 })]
    expect(contains(plan({ tracks: two, budget: 1 })[0] as Box, far(0.8, 0.8))).toBe(true)
    const gone = { lastSeenMs: -1_000, predicted: true, misses: 5, confianca: 0.7 }
    expect(plan({ tracks: [trackAt(1, far(0.5, 0.5), 0, gone)] })).toHaveLength(1)
    expect(plan({ tracks: [trackAt(1, far(0.992, 0.5), 0, gone)] })).toEqual([])
    expect(plan({ tracks: [trackAt(1, far(0.5, 0.5), 0, { ...gone, lastSeenMs: -4_000 })] })).toEqual([])
  })

  it('plans one region for near tracks and two for distant ones', () => {
    const [a, b] = [far(0.5, 0.5), far(0.55, 0.53)]
    const together = plan({ tracks: [trackAt(1, a), trackAt(2, b)] })
    expect(together).toHaveLength(1)
    for (const box of [a, b]) expect(contains(together[0] as Box, box)).toBe(true)
    expect(plan({ tracks: [trackAt(1, a), trackAt(2, far(0.1, 0.1))] })).toHaveLength(2)
  })

  it('gives each track a turn with any budget', () => {
    const boxes = Array.from({ length: 12 }, (_, index) =>
      far(0.02 + (index % 4) * 0.3, 0.05 + Math.floor(index / 4) * 0.4),
    )
    const planner = createRegionPlanner()
    const last = boxes.map(() => 0)
    let longest = 0
    for (let atMs = 0; atMs < 20_000; atMs += 200) {
      const tracks = boxes.map((box, id) => trackAt(id, box, atMs))
      const regions = planner.plan(about({ tracks, atMs, budget: 1 }))
      expect(regions.length).toBeLessThanOrEqual(1)
      for (const [index, box] of boxes.entries()) {
        longest = Math.max(longest, atMs - (last[index] ?? 0))
        if (regions.some((region) => contains(region, box))) last[index] = atMs
      }
    }
    expect(longest).toBeLessThanOrEqual(12 * 200 + 200)
  })

  it('plans standing objects, and a branch without detections, only rarely', () => {
    const planner = createRegionPlanner()
    let plans = 0
    for (let atMs = 0; atMs < 30_000; atMs += 200) {
      const still = trackAt(1, far(0.2, 0.3), atMs, { stillMs: 60_000, confianca: 0.4 })
      plans += planner.plan(about({ tracks: [still], motion: [far(0.8, 0.2)], atMs })).length
    }
    expect(plans).toBeLessThanOrEqual(10 + 30 + 2)
    expect(plans).toBeGreaterThanOrEqual(10 + 28)
  })

  it('plans a new track in every frame until it is confirmed, before waiting ones', () => {
    const planner = createRegionPlanner()
    const others = Array.from({ length: 3 }, (_, index) => far(0.02 + index * 0.4, 0.85))
    for (let atMs = 0; atMs <= 2_000; atMs += 200) {
      planner.plan(about({ tracks: others.map((box, id) => trackAt(id, box, atMs)), atMs }))
    }
    let seen = 0
    for (let atMs = 2_200; atMs < 3_200; atMs += 200) {
      const young = trackAt(9, far(0.5, 0.1), atMs, { firstSeenMs: 2_200, confianca: 0.4 })
      const regions = planner.plan(about({ tracks: [...others.map((box, id) => trackAt(id, box, atMs)), young], atMs }))
      if (regions.some((region) => contains(region, young.box))) seen++
    }
    expect(seen).toBe(5)
  })

  it('handles a clock that goes back, boxes without size and a portrait frame', () => {
    const planner = createRegionPlanner()
    planner.plan(about({ motion: [far(0.5, 0.5)], atMs: 90_000 }))
    expect(planner.plan(about({ motion: [far(0.5, 0.5)], atMs: 40 }))).toHaveLength(1)
    const point = { x: 0.5, y: 0.5, w: 0, h: 0 }
    for (const region of plan({ motion: [point], tracks: [trackAt(1, point)] })) expectSound(region)
    const [region] = plan({ frame: { width: 720, height: 1280 }, motion: [far(0.5, 0.5)] })
    expect(((region as Box).w * 720) / ((region as Box).h * 1280)).toBeCloseTo(4 / 3, 5)
  })
})
