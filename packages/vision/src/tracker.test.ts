import type { Detection } from '@vigia/ias/detection'
import { describe, expect, it } from 'vitest'
import { createRandom } from './testing/scenes.ts'
import type { Track } from './track-state.ts'
import { createTracker } from './tracker.ts'

/** A person in a yard camera; `x`, `y`: centre. */
const person = (x: number, y = 0.5, confianca = 0.8, rotulo = 'person'): Detection => ({
  rotulo,
  confianca,
  x: x - 0.025,
  y: y - 0.08,
  w: 0.05,
  h: 0.16,
})

/** Small repeatable noise in −1…1. */
function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return (state / 2147483648) * 2 - 1
  }
}

const seen = (tracks: readonly Track[]) => tracks.filter((track) => !track.predicted)
const ids = (tracks: readonly Track[]) => seen(tracks).map((track) => track.id)

describe('createTracker', () => {
  it('follows one person at 5 frames a second under one id and counts consecutive hits', () => {
    const tracker = createTracker()
    const views = Array.from({ length: 20 }, (_, frame) => tracker.update([person(0.1 + frame * 0.02)], frame * 200))
    expect(new Set(views.flatMap(ids))).toEqual(new Set([1]))
    expect(views.at(-1)).toMatchObject([
      { hits: 20, misses: 0, predicted: false, firstSeenMs: 0, lastSeenMs: 3800, rotulo: 'person', confianca: 0.8 },
    ])
    expect(views.at(-1)?.[0]?.box.x).toBeCloseTo(0.1 + 19 * 0.02 - 0.025, 6)
  })

  it('follows a runner whose boxes do not overlap between frames', () => {
    const tracker = createTracker()
    const views = Array.from({ length: 10 }, (_, frame) => tracker.update([person(0.1 + frame * 0.06)], frame * 200))
    expect(new Set(views.flatMap(ids))).toEqual(new Set([1]))
  })

  it('keeps the ids of two crossing people apart', () => {
    const tracker = createTracker()
    const jitter = noise(7)
    let last: Track[] = []
    for (let frame = 0; frame <= 30; frame++) {
      const near = () => jitter() * 0.003
      last = tracker.update(
        [person(0.2 + frame * 0.02 + near(), 0.5 + near()), person(0.8 - frame * 0.02 + near(), 0.54 + near())],
        frame * 200,
      )
    }
    expect(last.map((track) => track.id).sort()).toEqual([1, 2])
    const [first, second] = [last.find((track) => track.id === 1), last.find((track) => track.id === 2)]
    expect(first?.box.x).toBeGreaterThan(0.7)
    expect(second?.box.x).toBeLessThan(0.3)
  })

  it('bridges an occlusion of a second and marks the track as predicted', () => {
    const tracker = createTracker()
    const at = (frame: number) => person(0.2 + frame * 0.015)
    for (let frame = 0; frame < 10; frame++) tracker.update([at(frame)], frame * 200)
    for (let frame = 10; frame < 15; frame++) {
      const [track] = tracker.update([], frame * 200)
      expect(track).toMatchObject({ id: 1, predicted: true, hits: 0, misses: frame - 9, lastSeenMs: 1800 })
      expect(track?.box.x).toBeGreaterThan(at(9).x)
    }
    expect(tracker.update([at(15)], 3000)).toMatchObject([{ id: 1, predicted: false, hits: 1, firstSeenMs: 0 }])
  })

  it('ends a track after keepMs without detections and never reuses its id', () => {
    const tracker = createTracker({ keepMs: 2000 })
    tracker.update([person(0.3)], 0)
    tracker.update([person(0.3)], 200)
    expect(tracker.update([], 2200)).toHaveLength(1)
    expect(tracker.update([], 2201)).toEqual([])
    expect(ids(tracker.update([person(0.3)], 2400))).toEqual([2])
  })

  it('continues a track with weak detections but never starts one with them', () => {
    const tracker = createTracker({ highConfidence: 0.45, lowConfidence: 0.15 })
    expect(tracker.update([person(0.7, 0.5, 0.3)], 0)).toEqual([])
    tracker.update([person(0.3)], 200)
    expect(tracker.update([person(0.31, 0.5, 0.2)], 400)).toMatchObject([{ id: 1, hits: 2, confianca: 0.2 }])
    expect(tracker.update([person(0.32, 0.5, 0.1)], 600)).toMatchObject([{ id: 1, predicted: true }])
  })

  it('drops a flicker of the detector soon, but keeps a real track', () => {
    const tracker = createTracker()
    tracker.update([person(0.3), person(0.8)], 0)
    tracker.update([person(0.3)], 200)
    expect(tracker.update([person(0.3)], 400).map((track) => track.id)).toEqual([1])
  })

  it('handles jitter, empty frames and uneven intervals', () => {
    const tracker = createTracker()
    const jitter = noise(42)
    const found = new Set<number>()
    let now = 0
    for (let frame = 0; frame < 60; frame++) {
      now += 120 + Math.abs(jitter()) * 400
      const x = 0.1 + (now / 1000) * 0.03
      const hidden = frame % 7 === 3
      const detections = hidden ? [] : [person(x + jitter() * 0.006, 0.5 + jitter() * 0.006)]
      for (const id of ids(tracker.update(detections, now))) found.add(id)
    }
    expect([...found]).toEqual([1])
  })

  it('does not continue a person as a car, and keeps the label of a car that is once a truck', () => {
    const tracker = createTracker()
    tracker.update([person(0.5, 0.5, 0.8, 'car')], 0)
    tracker.update([person(0.5, 0.5, 0.8, 'car')], 200)
    expect(tracker.update([person(0.5, 0.5, 0.9, 'truck')], 400)).toMatchObject([{ id: 1, rotulo: 'car' }])
    expect(seen(tracker.update([person(0.5)], 600))).toMatchObject([{ id: 2, rotulo: 'person' }])
  })

  it('handles empty boxes, equal timestamps and an empty start', () => {
    const tracker = createTracker()
    expect(tracker.update([], 0)).toEqual([])
    expect(tracker.update([{ ...person(0.3), w: 0 }], 0)).toEqual([])
    tracker.update([person(0.3)], 100)
    const [track] = tracker.update([person(0.31)], 100)
    expect(track).toMatchObject({ id: 1, hits: 2 })
    expect(Number.isFinite(track?.box.x)).toBe(true)
  })

  it('drops all tracks when the stream restarts', () => {
    const tracker = createTracker()
    tracker.update([person(0.3)], 5000)
    expect(ids(tracker.update([person(0.3)], 40))).toEqual([2])
  })

  it('keeps its predictions inside the picture', () => {
    const tracker = createTracker()
    for (let frame = 0; frame < 6; frame++) tracker.update([person(0.7 + frame * 0.05)], frame * 200)
    const [track] = tracker.update([], 2600)
    expect(track?.predicted).toBe(true)
    expect((track?.box.x ?? 2) + (track?.box.w ?? 2)).toBeLessThanOrEqual(1)
  })

  it('continues a person who was hidden for three seconds', () => {
    const tracker = createTracker()
    const at = (frame: number) => person(0.1 + frame * 0.012)
    for (let frame = 0; frame < 20; frame++) tracker.update([at(frame)], frame * 200)
    for (let frame = 20; frame < 35; frame++) tracker.update([], frame * 200)
    expect(ids(tracker.update([at(35)], 7_000))).toEqual([1])
  })

  it('keeps a resting object in position for up to thirty seconds and does not give its id to a passer-by', () => {
    const tracker = createTracker()
    const bag = { rotulo: 'backpack', confianca: 0.6, x: 0.5, y: 0.6, w: 0.04, h: 0.06 }
    const standing = person(0.7)
    let now = 0
    for (; now <= 40_000; now += 200) tracker.update([bag, standing], now)
    // A person hides the bag for 25 s, and another person walks past the standing one, who is hidden meanwhile.
    for (const end = now + 25_000; now < end; now += 200) {
      const x = 0.7 + (now - (end - 12_500)) * 0.00005
      const hides = Math.abs(x - 0.7) < 0.04
      const tracks = tracker.update([person(x, 0.53), ...(hides ? [] : [standing])], now)
      expect(tracks.find(({ id }) => id === 1)).toMatchObject({ predicted: true, stillMs: 40_000 })
      expect(tracks.find(({ id }) => id === 1)?.box.x).toBeCloseTo(0.5, 2)
      const second = tracks.find(({ id }) => id === 2)
      expect(second?.box.x).toBeCloseTo(standing.x, 2)
    }
    const again = tracker.update([bag, standing], now)
    expect(ids(again).sort()).toEqual([1, 2])
    expect(again.find(({ id }) => id === 1)?.stillMs).toBe(65_200)
    for (const end = now + 30_000; now <= end; now += 200) tracker.update([], now)
    expect(tracker.update([], now + 400)).toEqual([])
  })

  it('continues a resting box with jitter and ignores people near it', () => {
    const tracker = createTracker()
    const random = createRandom(11)
    const shaken = (x: number) => person(x + (random() - 0.5) * 0.02, 0.5 + (random() - 0.5) * 0.04)
    let now = 0
    for (; now <= 20_000; now += 200) tracker.update([shaken(0.5)], now)
    for (const end = now + 15_000; now < end; now += 200) {
      expect(tracker.update([], now)[0]?.box.x).toBeCloseTo(0.475, now < end - 14_000 ? 1 : 2)
    }
    expect(ids(tracker.update([person(0.56)], now))).toEqual([2])
    expect(ids(tracker.update([person(0.56), shaken(0.5)], now + 200)).sort()).toEqual([1, 2])
  })

  it('gives a new id to a person who enters where another has just left', () => {
    const tracker = createTracker()
    let now = 0
    for (let x = 0.8; x < 0.975; x += 0.02, now += 200) tracker.update([person(x)], now)
    for (let gap = 0; gap < 10; gap++, now += 200) tracker.update([], now)
    expect(ids(tracker.update([person(0.96)], now))).toEqual([2])
  })

  it('keeps the id of a standing person who walks away', () => {
    const tracker = createTracker()
    let now = 0
    for (; now < 10_000; now += 200) tracker.update([person(0.3)], now)
    const views = Array.from({ length: 20 }, (_, step) => tracker.update([person(0.3 + step * 0.02)], now + step * 200))
    expect(new Set(views.flatMap(ids))).toEqual(new Set([1]))
    expect(views.at(-1)?.[0]?.stillMs).toBe(0)
  })

  it('keeps at most two hundred tracks, those with current detections first', () => {
    const tracker = createTracker()
    const random = createRandom(5)
    const clutter = () => Array.from({ length: 250 }, () => person(random(), random(), 0.5 + random() / 2))
    let most = 0
    for (let frame = 0; frame < 30; frame++) {
      const known = { ...person(0.5, 0.5), w: 0.2, h: 0.5 }
      const tracks = tracker.update([known, ...clutter()], frame * 200)
      most = Math.max(most, tracks.length)
      expect(ids(tracks)).toContain(1)
    }
    expect(most).toBe(200)
  })

  it('counts no miss of a person seen only in enlarged inferences while their region has none', () => {
    const place = { x: 0.2, y: 0.4, w: 0.3, h: 0.3 }
    const elsewhere = { x: 0.6, y: 0.1, w: 0.3, h: 0.3 }
    const turns = (enlarged: (frame: number) => typeof place) => {
      const tracker = createTracker()
      const views = Array.from({ length: 6 }, (_, frame) =>
        tracker.update(frame % 2 ? [] : [person(0.3)], frame * 200, [enlarged(frame)]),
      )
      return views.at(-2)?.[0]?.hits
    }
    expect(turns((frame) => (frame % 2 ? elsewhere : place))).toBe(3)
    expect(turns(() => place)).toBe(1)
    const tracker = createTracker()
    tracker.update([person(0.3)], 0, [place])
    expect(tracker.update([], 200, [elsewhere])).toMatchObject([{ predicted: true, hits: 1, misses: 0 }])
    for (let ms = 400; ms <= 4_000; ms += 200) tracker.update([], ms, [elsewhere])
    expect(tracker.update([], 4_200, [elsewhere])).toEqual([])
  })
})
