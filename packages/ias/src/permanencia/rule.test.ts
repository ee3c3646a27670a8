import { describe, expect, it } from 'vitest'
import type { AnalysisConfig } from '../observation.ts'
import { createScene, sceneConfig, seen, standing } from '../test-scene.ts'

const lowerHalf = [[0, 0.5, 1, 0.5, 1, 1, 0, 1]]
const config = (limits: Record<string, number> = {}, rest: Partial<AnalysisConfig> = {}): AnalysisConfig =>
  sceneConfig('permanencia', limits, { zonas: lowerHalf, ...rest })
const inside = standing({ x: 0.5, y: 0.8 })
const outside = standing({ x: 0.5, y: 0.4 })
const person = (id: number, box = inside, rest = {}) => seen(id, 'person', box, rest)

describe('a stay', () => {
  it('fires once, at the end of the time, with the duration', () => {
    const scene = createScene(config())
    expect(scene.hold(30, person(1))).toEqual([])
    expect(scene.analysis.promising()).toEqual([1])
    expect(scene.hold(1, person(1))).toEqual([
      {
        ia: 'permanencia',
        trackIds: [1],
        caixas: [{ rotulo: 'person', confianca: 0.8, ...inside }],
        confianca: 0.8,
        rotulos: ['person'],
        zona: 0,
        detalhes: { duracao_s: 30 },
      },
    ])
    expect(scene.hold(600, person(1))).toEqual([])
    expect(scene.analysis.promising()).toEqual([])
  })

  it('counts separately for each person who moves in the zone', () => {
    const scene = createScene(config())
    const walks = (i: number) => standing({ x: 0.3 + 0.2 * Math.sin(i / 40), y: 0.8 })
    const fired = Array.from({ length: 200 }, (_, i) =>
      scene.show(person(1, walks(i)), ...(i > 50 ? [person(2, standing({ x: 0.8, y: 0.9 }))] : [])),
    ).flat()
    expect(fired.map(({ trackIds }) => trackIds)).toEqual([[1]])
    expect(scene.hold(2, person(2, standing({ x: 0.8, y: 0.9 })))).toMatchObject([{ trackIds: [2] }])
  })

  it('continues across gaps and changes of track', () => {
    const scene = createScene(config())
    scene.hold(10, person(1))
    scene.skip(6)
    scene.hold(10, person(2, standing({ x: 0.53, y: 0.8 })))
    expect(scene.hold(5, person(2, standing({ x: 0.53, y: 0.8 })))).toMatchObject([{ trackIds: [2] }])
    expect(scene.elapsed()).toBeLessThan(31.5)
  })

  it('continues after a moment outside of the zone', () => {
    const scene = createScene(config())
    scene.hold(20, person(1))
    expect(scene.hold(4, person(1, outside))).toEqual([])
    expect(scene.hold(7, person(1))).toHaveLength(1)
  })

  it('does not fire while the person is outside', () => {
    const scene = createScene(config())
    scene.hold(29, person(1))
    expect(scene.hold(4, person(1, outside))).toEqual([])
  })

  it('ends when the person leaves; the next stay is another event', () => {
    const scene = createScene(config())
    scene.hold(20, person(1))
    scene.hold(10, person(1, outside))
    expect(scene.hold(29, person(1))).toEqual([])
    expect(scene.hold(2, person(1))).toHaveLength(1)
    scene.hold(10, person(1, outside))
    expect(scene.hold(31, person(1))).toHaveLength(1)
  })

  it('ends after a long time without detection', () => {
    const scene = createScene(config())
    scene.hold(20, person(1))
    scene.skip(40)
    expect(scene.hold(29, person(2))).toEqual([])
  })

  it('counts from the start of the Agenda, and needs no zone', () => {
    const scene = createScene(config({}, { agenda: { inicio: 13, fim: 14, dias: [] }, zonas: [] }))
    scene.skip(3590)
    expect(scene.hold(39, person(1))).toEqual([])
    expect(scene.hold(2, person(1))).toMatchObject([{ zona: null, detalhes: { duracao_s: 30 } }])
  })

  it('stops counting when the Agenda disarms the IA', () => {
    const scene = createScene(config({}, { agenda: { inicio: 12, fim: 13, dias: [] } }))
    scene.skip(3580)
    scene.hold(25, person(1))
    scene.skip(23 * 3600 - 10)
    expect(scene.hold(40, person(1))).toMatchObject([{ detalhes: { duracao_s: 30 } }])
  })

  it.each([
    ['too little confidence', { confianca: 0.4 }],
    ['never moved', { motion: 0 }],
    ['not a person', { rotulo: 'dog' }],
    ['never three consecutive frames', { hits: 2 }],
    ['only predicted', { predicted: true }],
  ])('is not counted: %s', (_, rest) => {
    expect(createScene(config()).hold(60, person(1, inside, rest))).toEqual([])
  })

  it('does not fire twice for a second box inside the first', () => {
    const scene = createScene(config())
    const head = person(2, { x: inside.x + 0.01, y: inside.y, w: 0.04, h: 0.23 })
    expect(scene.hold(60, person(1), head)).toHaveLength(1)
  })
})

describe('cooldown and restart', () => {
  it('fires at the end of the cooldown for a person still in the zone', () => {
    const scene = createScene(config({ resfriamento_s: 60 }))
    const other = person(2, standing({ x: 0.2, y: 0.8 }))
    expect(scene.hold(60, person(1), other)).toHaveLength(1)
    expect(scene.hold(40, person(1), other)).toMatchObject([{ trackIds: [2] }])
  })

  it('continues after a restart without repeated events', () => {
    const scene = createScene(config())
    scene.hold(20, person(1))
    const second = scene.restart(5)
    const fired = second.hold(10, person(1))
    expect(fired).toMatchObject([{ detalhes: { duracao_s: expect.any(Number) } }])
    expect(fired[0]?.detalhes.duracao_s).toBeGreaterThan(29)
    expect(second.restart(5).hold(60, person(1))).toEqual([])
  })

  it.each([[null], ['x'], [{ v: 2 }], [{ v: 1, firedAt: 'x', stays: [{ box: inside, data: null }, 7] }]])(
    'ignores an unreadable state: %o',
    (state) => {
      expect(createScene(config(), state).hold(31, person(1))).toHaveLength(1)
    },
  )
})
