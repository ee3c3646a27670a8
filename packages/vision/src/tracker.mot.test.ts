import { readFile } from 'node:fs/promises'
import type { Detection } from '@vigia/ias/detection'
import { describe, expect, it } from 'vitest'
import { createIouTracker } from './testing/iou-tracker.ts'
import { type MotScore, scoreTracker, sum } from './testing/mot-score.ts'
import { type Story, stories } from './testing/stories.ts'
import { createTracker } from './tracker.ts'

/** The constants of the tracker were chosen with the seeds 1 to 20 and 101 to 110. */
const SEEDS = [7001, 7002, 7003]

function follow(highConfidence = 0.4) {
  const tracker = createTracker({ highConfidence })
  return (detections: Parameters<typeof tracker.update>[0], atMs: number) =>
    tracker.update(detections, atMs).filter(({ predicted }) => !predicted)
}

const measure = (story: Story, create: () => Parameters<typeof scoreTracker>[1]): MotScore =>
  sum(SEEDS.map((seed) => scoreTracker(story.play(seed), create())))

/**
 * Upper limit of id switches per 1000 visible objects. It is at least twice the result of ten other seeds (5001 to
 * 5010), since three seeds are few.
 */
const SWITCHES_PER_1000: Record<string, number> = {
  'people who meet': 10,
  'people who meet, 2 a second': 26,
  'three seconds behind a column': 5,
  'parked cars, a bag, passers-by': 4,
  'small people who come near': 5,
  'ten people who stroll': 10,
  'ten people who stroll, 2 a second': 100,
  'ten people who stroll, shaky boxes': 40,
  'ten people who stroll, noise': 12,
  runners: 70,
}

describe('createTracker on scenes with ground truth', () => {
  const measured: { ours: MotScore; simple: MotScore }[] = []

  it.each(stories)('$name', (story) => {
    const ours = measure(story, () => follow())
    const simple = measure(story, () => createIouTracker(0.4))
    measured.push({ ours, simple })
    expect(ours.switches).toBeLessThan(simple.switches / 5)
    expect(ours.fragments).toBeLessThanOrEqual(simple.fragments * 1.05)
    expect(ours.misses).toBeLessThanOrEqual(simple.misses * 1.1 + 10)
    expect(ours.ghosts).toBeLessThanOrEqual(simple.ghosts * 1.1 + 10)
    expect((1000 * ours.switches) / ours.objects).toBeLessThan(SWITCHES_PER_1000[story.name] ?? 0)
  })

  it('switches ids ten times less often than an IoU tracker over all scenes', () => {
    expect(measured).toHaveLength(stories.length)
    const ours = sum(measured.map((one) => one.ours))
    const simple = sum(measured.map((one) => one.simple))
    expect(simple.switches / ours.switches).toBeGreaterThan(10)
  })
})

/** Confidence from which the edge starts a track of a person. */
const PERSON_CONF = 0.4
/**
 * Ten people, in pairs and groups, some behind a lamp post with a sign. The detector always reports a blue post and a
 * cone as people.
 */
const CAMPUS = { people: 10, takenForPeople: 2 }

async function readCampus() {
  const text = await readFile(new URL('../fixtures/campus-people.csv', import.meta.url), 'utf8')
  const frames = new Map<number, Detection[]>()
  for (const line of text.trim().split('\n').slice(1)) {
    const [ms = 0, confianca = 0, x = 0, y = 0, w = 0, h = 0] = line.split(',').map(Number)
    frames.set(ms, [...(frames.get(ms) ?? []), { rotulo: 'person', confianca, x, y, w, h }])
  }
  return frames
}

/** Tracks with detections in at least three frames. */
function countFollowed(frames: Map<number, Detection[]>, update: Parameters<typeof scoreTracker>[1]): number {
  const seen = new Map<number, number>()
  for (const [atMs, found] of frames) for (const { id } of update(found, atMs)) seen.set(id, (seen.get(id) ?? 0) + 1)
  return [...seen.values()].filter((times) => times >= 3).length
}

describe('createTracker on real footage', () => {
  it('has about one track per person', async () => {
    const frames = await readCampus()
    const all = CAMPUS.people + CAMPUS.takenForPeople
    const ours = countFollowed(frames, follow(PERSON_CONF))
    expect(ours).toBeGreaterThanOrEqual(all)
    // Ids switch behind the sign and where two people walk arm in arm; the footage yielded 17 tracks when this limit
    // was set.
    expect(ours).toBeLessThanOrEqual(all + 6)
    expect(countFollowed(frames, createIouTracker(PERSON_CONF))).toBeGreaterThan(ours)
  })
})
