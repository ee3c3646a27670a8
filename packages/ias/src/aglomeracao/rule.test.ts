import { describe, expect, it } from 'vitest'
import type { AnalysisConfig } from '../observation.ts'
import { ALERTED } from '../stored-keys.ts'
import { createRandom, createScene, sceneConfig, seen, standing } from '../test-scene.ts'

const [left, right] = [
  [0, 0, 0.5, 0, 0.5, 1, 0, 1],
  [0.5, 0, 1, 0, 1, 1, 0.5, 1],
]
const config = (limits: Record<string, number> = {}, rest: Partial<AnalysisConfig> = {}): AnalysisConfig =>
  sceneConfig('aglomeracao', { min_pessoas: 5, ...limits }, rest)
/** `count` people side by side from `x` on, with ids from `first`. */
const people = (count: number, x = 0.05, first = 1, rest = {}) =>
  Array.from({ length: count }, (_, i) => seen(first + i, 'person', standing({ x: x + i * 0.07, y: 0.8 }, 0.05), rest))

describe('a gathering', () => {
  it('fires once, with the number and the boxes of all people', () => {
    const scene = createScene(config())
    expect(scene.hold(20, ...people(4))).toEqual([])
    const fired = scene.hold(1, ...people(6))
    expect(fired).toMatchObject([{ ia: 'aglomeracao', zona: null, rotulos: ['person'], detalhes: { pessoas: 6 } }])
    expect(fired[0]?.caixas).toHaveLength(6)
    expect([...(fired[0]?.trackIds ?? [])].sort()).toEqual([1, 2, 3, 4, 5, 6])
    expect(fired[0]?.confianca).toBeCloseTo(0.8)
    expect(scene.hold(3600, ...people(7))).toEqual([])
  })

  it('needs the number of frames in the calibration, without a pause between them', () => {
    // No person counts in the first frame: a single detection may be false.
    const scene = createScene(config())
    const fired = Array.from({ length: 6 }, () => scene.show(...people(5)).length)
    expect(fired).toEqual([0, 0, 0, 0, 1, 0])
    const paused = createScene(config())
    for (let i = 0; i < 4; i++) paused.show(...people(5))
    paused.skip(60)
    expect(paused.show(...people(5))).toEqual([])
  })

  it('is counted separately in each zone', () => {
    const scene = createScene(config({}, { zonas: [left, right] }))
    expect(scene.hold(10, ...people(4), ...people(4, 0.55, 10))).toEqual([])
    expect(scene.hold(2, ...people(4), ...people(6, 0.55, 10))).toMatchObject([{ zona: 1, detalhes: { pessoas: 6 } }])
    expect(scene.hold(2, ...people(5), ...people(6, 0.55, 10))).toMatchObject([{ zona: 0, detalhes: { pessoas: 5 } }])
  })

  it.each([
    ['too little confidence', { confianca: 0.3 }],
    ['too small', { box: { x: 0.1, y: 0.1, w: 0.01, h: 0.05 } }],
    ['mannequins', { motion: 0 }],
    ['only predicted', { predicted: true }],
    ['not people', { rotulo: 'dog' }],
  ])('does not arise: %s', (_, rest) => {
    expect(createScene(config()).hold(20, ...people(8, 0.05, 1, rest))).toEqual([])
  })

  it('does not arise from one more person in single frames', () => {
    const scene = createScene(config())
    const random = createRandom(5)
    for (let i = 0; i < 2000; i++) {
      const flicker = seen(100 + i, 'person', standing({ x: 0.9, y: 0.8 }))
      expect(scene.show(...people(4), ...(random() < 0.3 ? [flicker] : []))).toEqual([])
    }
  })

  it('arises and lasts although one person is not detected in some frames', () => {
    const scene = createScene(config())
    const random = createRandom(6)
    const fired = Array.from({ length: 3000 }, () =>
      scene.show(...people(5).map((one) => (random() < 0.15 ? { ...one, predicted: true, hits: 0 } : one))),
    ).flat()
    expect(fired).toHaveLength(1)
    expect(fired[0]?.detalhes.pessoas).toBe(5)
  })

  it('does not count a person twice after a change of track', () => {
    const scene = createScene(config())
    scene.hold(5, ...people(4))
    const [first, ...others] = people(4)
    if (!first) throw new Error('nobody')
    const again = { ...first, id: 50 }
    expect(scene.hold(1, { ...first, predicted: true, hits: 0 }, again, ...others)).toEqual([])
  })

  it('stops counting a person without detections', () => {
    const scene = createScene(config({ min_quadros: 30 }))
    scene.hold(6, ...people(4))
    scene.hold(1, ...people(5))
    expect(scene.hold(30, ...people(4), ...people(1, 0.33, 5, { predicted: true, hits: 0 }))).toEqual([])
  })
})

describe('its end', () => {
  it('happens after twenty seconds with too few people, but not when some leave for a moment', () => {
    const scene = createScene(config())
    expect(scene.hold(5, ...people(5))).toHaveLength(1)
    expect([scene.hold(15, ...people(2)), scene.hold(5, ...people(5))].flat()).toEqual([])
    expect([scene.hold(25, ...people(4)), scene.hold(5, ...people(5))].flat()).toHaveLength(1)
  })

  it('happens in an empty picture, which is rarely analysed', () => {
    const scene = createScene(config())
    scene.hold(5, ...people(5))
    for (let i = 0; i < 4; i++) {
      scene.show()
      scene.skip(9.8)
    }
    expect(scene.hold(5, ...people(5, 0.05, 20))).toHaveLength(1)
  })

  it('does not happen after a minute without frames, but after an hour', () => {
    const scene = createScene(config())
    scene.hold(5, ...people(5))
    scene.skip(60)
    expect(scene.hold(60, ...people(5, 0.05, 20))).toEqual([])
    scene.skip(3600)
    expect(scene.hold(5, ...people(5, 0.05, 40))).toHaveLength(1)
  })

  it('waits for the end of the cooldown while enough people remain', () => {
    const scene = createScene(config({ resfriamento_s: 120 }))
    expect(scene.hold(5, ...people(5))).toHaveLength(1)
    expect(scene.hold(30)).toEqual([])
    expect(scene.hold(80, ...people(6))).toEqual([])
    expect(scene.analysis.promising()).toHaveLength(3)
    expect(scene.hold(20, ...people(6))).toHaveLength(1)
  })
})

describe('a restart', () => {
  it('does not repeat a gathering and keeps the cooldown', () => {
    const first = createScene(config({ resfriamento_s: 30 }, { zonas: [left, right] }))
    expect(first.hold(5, ...people(5))).toHaveLength(1)
    const second = first.restart(20)
    expect(second.hold(60, ...people(5))).toEqual([])
    expect(second.hold(3, ...people(5), ...people(5, 0.55, 10))).toHaveLength(1)
  })

  it('begins another gathering in a redrawn zone and after hours without frames', () => {
    const first = createScene(config({}, { zonas: [left] }))
    first.hold(5, ...people(5))
    expect(first.restart(5, config({}, { zonas: [right, left] })).hold(5, ...people(5))).toEqual([])
    expect(first.restart(5, config()).hold(5, ...people(5))).toHaveLength(1)
    expect(first.restart(3600).hold(5, ...people(5))).toHaveLength(1)
  })

  it.each([[null], ['x'], [{ v: 2 }], [{ v: 1, [ALERTED]: [null, { zona: '', seenAt: 'x' }] }]])(
    'ignores an unreadable state: %o',
    (state) => {
      expect(createScene(config(), state).hold(5, ...people(5))).toHaveLength(1)
    },
  )
})
