import type { Appearance } from '@vigia/ias/appearance'
import type { Detection } from '@vigia/ias/detection'
import type { Box } from '@vigia/ias/geometry'
import { describe, expect, it } from 'vitest'
import type { Track } from './track-state.ts'
import { createTracker } from './tracker.ts'

const found = (x: number, confianca = 0.8, y = 0.5): Detection => ({
  rotulo: 'person',
  confianca,
  x: x - 0.025,
  y: y - 0.08,
  w: 0.05,
  h: 0.16,
})
const seen = (tracks: readonly Track[]) => tracks.filter((track) => !track.predicted && !track.thing)
const FRAME_MS = 200

describe('a known thing', () => {
  /** A sign that gets weak detections of a person, watched for ten seconds. */
  const SIGN = 0.5
  const watched = () => {
    const tracker = createTracker()
    for (let frame = 0; frame < 50; frame++) tracker.update([found(SIGN, 0.3)], frame * FRAME_MS)
    return tracker
  }

  it('takes over no track of a person who walks past it and is hidden behind it', () => {
    const tracker = watched()
    let last: readonly Track[] = []
    for (let frame = 0; frame < 30; frame++) {
      const x = 0.2 + 0.02 * frame
      const visible = frame < 14
      last = tracker.update([found(SIGN, 0.3), ...(visible ? [found(x)] : [])], (50 + frame) * FRAME_MS)
    }
    expect(seen(last)).toEqual([])
  })

  it('follows the person when it is found in front of the thing with more confidence', () => {
    const tracker = watched()
    const ids = new Set<number>()
    for (let frame = 0; frame < 30; frame++) {
      const x = 0.2 + 0.02 * frame
      for (const { id } of seen(tracker.update([found(x, 0.7), found(SIGN, 0.3)], (50 + frame) * FRAME_MS))) ids.add(id)
    }
    expect(ids.size).toBe(1)
  })

  it('starts no track from a detection that is hardly stronger than usual', () => {
    const tracker = watched()
    expect(tracker.update([found(SIGN, 0.45)], 50 * FRAME_MS)).toEqual([])
    expect(seen(tracker.update([found(SIGN, 0.8)], 51 * FRAME_MS))).toHaveLength(1)
  })

  it('is not learned from a person who came, and then lies there for ten minutes with a low confidence', () => {
    const tracker = createTracker()
    for (let frame = 0; frame < 20; frame++) tracker.update([found(0.1 + 0.02 * frame)], frame * FRAME_MS)
    const lies = Array.from({ length: 3_000 }, (_, frame) =>
      seen(tracker.update([found(0.48, 0.25), found(0.485, 0.2, 0.51)], (20 + frame) * FRAME_MS)),
    )
    expect(new Set(lies.flat().map(({ id }) => id))).toEqual(new Set([1]))
    expect(lies.every((tracks) => tracks.length === 1)).toBe(true)
  })

  it('is forgotten when it is gone', () => {
    const tracker = watched()
    for (let frame = 50; frame < 1_500; frame++) tracker.update([found(0.9, 0.3)], frame * FRAME_MS)
    expect(seen(tracker.update([found(SIGN, 0.45)], 300_000))).toHaveLength(1)
  })
})

describe('two boxes of one person', () => {
  it('give one track', () => {
    const tracker = createTracker()
    tracker.update([found(0.3)], 0)
    for (let frame = 1; frame < 10; frame++) {
      const x = 0.3 + 0.01 * frame
      expect(tracker.update([found(x), found(x + 0.015, 0.5)], frame * FRAME_MS)).toHaveLength(1)
    }
  })
})

it('the box of a part of a person starts no track', () => {
  const tracker = createTracker()
  for (let frame = 0; frame < 10; frame++) {
    const whole = found(0.3 + 0.01 * frame)
    const part = { ...whole, y: whole.y + 0.01, h: 0.05, confianca: 0.5 }
    expect(tracker.update([whole, part], frame * FRAME_MS)).toHaveLength(1)
  }
})

it('a weak detection continues no lost track of an object that walked', () => {
  const tracker = createTracker()
  for (let frame = 0; frame < 10; frame++) tracker.update([found(0.3 + 0.01 * frame)], frame * FRAME_MS)
  for (let frame = 10; frame < 17; frame++) tracker.update([], frame * FRAME_MS)
  const [lost] = tracker.update([], 17 * FRAME_MS)
  const expected = (lost?.box.x ?? 0) + 0.025
  expect(seen(tracker.update([found(expected, 0.2)], 18 * FRAME_MS))).toEqual([])
  expect(seen(tracker.update([found(expected)], 19 * FRAME_MS))).toMatchObject([{ id: 1 }])
})

describe('colours', () => {
  const red: Appearance = [1, 0, 0]
  const blue: Appearance = [0, 1, 0]

  /**
   * Two people walk towards each other, are hidden for `hiddenFrames`, and turn back. By position and motion they seem
   * to have passed each other.
   */
  function turnBack(measure: (isLeft: boolean) => Appearance | null) {
    const tracker = createTracker()
    let last: readonly Track[] = []
    for (let frame = 0; frame < 24; frame++) {
      const away = Math.abs(11.5 - frame) * 0.02 + 0.02
      if (frame >= 10 && frame <= 13) continue
      const [left, right] = [found(0.5 - away), found(0.5 + away)]
      const colours = ({ x, w }: Box) => measure(x + w / 2 < 0.5)
      last = tracker.update([left, right], frame * FRAME_MS, [], colours)
    }
    return last.toSorted((a, b) => a.box.x - b.box.x).map(({ id }) => id)
  }

  it('keep the ids of two people who turn back where they meet', () => {
    expect(turnBack(() => null)).toEqual([2, 1])
    expect(turnBack((isLeft) => (isLeft ? red : blue))).toEqual([1, 2])
  })

  it('do not end a track when the light changes', () => {
    const tracker = createTracker()
    const ids = Array.from({ length: 20 }, (_, frame) =>
      tracker.update([found(0.3 + 0.01 * frame)], frame * FRAME_MS, [], () => (frame < 10 ? red : blue)),
    )
    expect(new Set(ids.flat().map(({ id }) => id))).toEqual(new Set([1]))
  })
})
