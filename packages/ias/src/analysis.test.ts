import { describe, expect, it } from 'vitest'
import { createAnalysis, isSupported } from './analysis.ts'
import { nomesIas } from './catalogue.ts'
import type { ObservedTrack } from './observation.ts'
import { createRandom, createScene, START, sceneConfig, seen, standing } from './test-scene.ts'

const geometry = { zonas: [[0, 0.3, 1, 0.3, 1, 1, 0, 1]], linha: [[0, 0.6, 1, 0.6]] }
const supported = nomesIas.filter(isSupported)

it('runs every IA of the catalogue except plate reading', () => {
  expect(nomesIas.filter((ia) => !isSupported(ia))).toEqual(['placa'])
  expect(createAnalysis(sceneConfig('placa'))).toBeNull()
  for (const ia of supported) expect(createAnalysis(sceneConfig(ia))?.ia).toBe(ia)
})

/** `count` moving people, cars and bags that appear and disappear; ids are never reused. */
function createCrowd(count: number, seed: number) {
  const random = createRandom(seed)
  const labels = ['person', 'person', 'person', 'car', 'backpack'] as const
  let nextId = 1
  const arrive = () => {
    const [x, y] = [random(), 0.3 + 0.7 * random()]
    const label = labels[Math.floor(random() * labels.length)] ?? 'person'
    return { id: nextId++, label, x, y, vx: (random() - 0.5) * 0.02, vy: (random() - 0.5) * 0.02, hits: 0 }
  }
  let objects = Array.from({ length: count }, arrive)
  return (): ObservedTrack[] => {
    objects = objects.map((one) => {
      if (random() < 0.005) return arrive()
      const [x, y] = [one.x + one.vx, one.y + one.vy]
      return x < 0 || x > 1 || y < 0.2 || y > 1 ? arrive() : { ...one, x, y, hits: one.hits + 1 }
    })
    return objects.map((one) =>
      seen(one.id, one.label, standing(one, 0.05, 0.15), { hits: one.hits, predicted: random() < 0.05 }),
    )
  }
}

describe.each(supported)('%s', (ia) => {
  it('keeps a bounded state in hours of a crowd', () => {
    const scene = createScene(sceneConfig(ia, { permanencia_s: 5, resfriamento_s: 0 }, geometry))
    const crowd = createCrowd(50, 1)
    let most = 0
    for (let hour = 0; hour < 6; hour++) {
      for (let frame = 0; frame < 50; frame++) scene.show(...crowd())
      most = Math.max(most, JSON.stringify(scene.analysis.state()).length)
      scene.skip(3600)
    }
    expect(most).toBeLessThan(100_000)
  })

  it('continues from its own state, from none and from a damaged one', () => {
    const scene = createScene(sceneConfig(ia, {}, geometry))
    const crowd = createCrowd(20, 2)
    for (let frame = 0; frame < 100; frame++) scene.show(...crowd())
    const state: unknown = JSON.parse(JSON.stringify(scene.analysis.state()))
    expect(createAnalysis(sceneConfig(ia, {}, geometry), state)?.state()).toEqual(state)
    for (const damaged of [undefined, null, 7, 'x', [], {}, { v: 1 }, { v: 99, firedAt: 1 }]) {
      const begun = createAnalysis(sceneConfig(ia, {}, geometry), damaged)
      const frame = { tracks: crowd(), epochMs: START, streamMs: 1, evidence: {} }
      expect(begun?.update(frame), JSON.stringify(damaged)).toEqual([])
    }
  })
})

it('needs less than 5 ms a frame for all IAs together with fifty objects', () => {
  const scenes = supported.map((ia) => createScene(sceneConfig(ia, {}, geometry)))
  const crowd = createCrowd(50, 3)
  const frames = Array.from({ length: 100 }, crowd)
  const measure = () => {
    // Processor time: other programs on the machine do not count.
    const began = process.cpuUsage()
    for (const tracks of frames) for (const scene of scenes) scene.show(...tracks)
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000 / frames.length
  }
  expect(Math.min(measure(), measure(), measure())).toBeLessThan(5)
})
