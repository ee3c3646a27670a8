import type { Detection } from '@vigia/ias/detection'
import { describe, expect, it } from 'vitest'
import { createRandom } from './testing/scenes.ts'
import { createTracker } from './tracker.ts'

const SECOND_MS = 1_000
const cone = (confianca: number, x = 0.2, rotulo = 'person'): Detection => ({
  rotulo,
  confianca,
  x,
  y: 0.32,
  w: 0.02,
  h: 0.05,
})

/** The views of the only track while `at` gives its detections, five a second. */
function follow(seconds: number, at: (second: number) => Detection, tracker = createTracker(), fromMs = 0) {
  return Array.from({ length: seconds * 5 }, (_, frame) => {
    const [track] = tracker.update([at(frame / 5)], fromMs + frame * 200)
    return track
  })
}

describe('a track that never moved', () => {
  it('becomes a thing after three seconds with a low confidence, and stays one while its box shakes', () => {
    const random = createRandom(5)
    const shaking = () => cone(0.35 + 0.1 * random(), 0.2 + 0.004 * (random() - 0.5))
    const views = follow(60, shaking)
    expect(views[14]?.thing).toBe(false)
    expect(views.slice(16).every((track) => track?.thing && track.id === 1)).toBe(true)
  })

  it.each<[string, (second: number) => Detection]>([
    ['its confidence is high', () => cone(0.7)],
    ['its confidence was high once', (second) => cone(second === 0.4 ? 0.65 : 0.3)],
    ['it has moved before it rests', (second) => cone(0.45, 0.1 + 0.01 * Math.min(10, second * 5))],
    ['it is no person', () => cone(0.42, 0.2, 'suitcase')],
  ])('stays an object: %s', (_, at) => {
    expect(follow(60, at).some((track) => track?.thing)).toBe(false)
  })

  it('is a person again when it walks away, or is found with a high confidence', () => {
    for (const change of [(second: number) => cone(0.45, 0.2 + 0.02 * second), () => cone(0.7)]) {
      const tracker = createTracker()
      expect(follow(10, () => cone(0.42), tracker).at(-1)?.thing).toBe(true)
      expect(follow(3, change, tracker, 10 * SECOND_MS).at(-1)).toMatchObject({ id: 1, thing: false })
    }
  })
})
