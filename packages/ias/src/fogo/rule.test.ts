import { describe, expect, it } from 'vitest'
import type { Box } from '../geometry.ts'
import type { AnalysisConfig, Fired, ObservedTrack } from '../observation.ts'
import { FIRES } from '../stored-keys.ts'
import { createScene, START, sceneConfig, seen } from '../test-scene.ts'

/** Two inferences of the fire model per second. */
const STEP_MS = 500
const BOX: Box = { x: 0.4, y: 0.5, w: 0.1, h: 0.1 }
const FLAME = { colour: 0.7, flicker: 0.7 }
const LAMP = { colour: 0.9, flicker: 0.01 }

const config = (limits: Record<string, number> = {}, rest: Partial<AnalysisConfig> = {}) =>
  sceneConfig('fogo', limits, rest)

const flame = (id: number, rest: Partial<ObservedTrack> = {}) =>
  seen(id, 'fire', BOX, { confianca: 0.7, hits: 1, motion: 0.3, evidence: { fogo: FLAME }, ...rest })

function scene(settings: AnalysisConfig, state?: unknown, startEpoch = START, startStream = 1000) {
  const { hold: _, ...inferences } = createScene(settings, state, startEpoch, startStream, STEP_MS)
  return {
    ...inferences,
    hold: (count: number, ...tracks: ObservedTrack[]): Fired[] =>
      Array.from({ length: count }, () => inferences.show(...tracks)).flat(),
    now: () => startEpoch + inferences.elapsed() * 1000,
  }
}

describe('the rule', () => {
  it('fires at the fourth inference, within 3 s, with box, label, zone and score', () => {
    const s = scene(config({}, { zonas: [[0, 0, 1, 0, 1, 1, 0, 1]] }))
    expect(s.hold(3, flame(1))).toEqual([])
    expect(s.analysis.promising()).toEqual([1])
    const [fired, ...more] = s.show(flame(1))
    expect(more).toEqual([])
    expect(fired).toMatchObject({ ia: 'fogo', trackIds: [1], rotulos: ['fire'], zona: 0, detalhes: {} })
    expect(fired?.caixas).toEqual([{ rotulo: 'fire', confianca: 0.7, ...BOX }])
    expect(fired?.confianca).toBeGreaterThan(0.9)
    expect(s.analysis.promising()).toEqual([])
  })

  it.each([
    ['low confidence with the flicker and colours of a flame', { confianca: 0.3 }],
    [
      'a hint of the detector, where colours and flicker are beyond doubt',
      { confianca: 0.1, evidence: { fogo: { colour: 1, flicker: 0.9 } } },
    ],
    [
      'an infrared picture: no colours, and so no flicker',
      { confianca: 0.92, evidence: { fogo: { colour: 0, flicker: 0 } } },
    ],
  ])('raises an event: %s', (_, rest: Partial<ObservedTrack>) => {
    expect(scene(config()).hold(8, flame(1, rest))).toHaveLength(1)
  })

  it.each([
    ['a poster, a lamp, the sunset: high confidence without flicker', { confianca: 0.98, evidence: { fogo: LAMP } }],
    ['a welding arc: it flickers, without colour', { confianca: 0.7, evidence: { fogo: { colour: 0, flicker: 1 } } }],
    ['almost no confidence', { confianca: 0.05 }],
    [
      'a hint of the detector, at a place that is not restless beyond doubt',
      { confianca: 0.1, evidence: { fogo: { colour: 0.7, flicker: 0.65 } } },
    ],
    ['smaller than area_min', { box: { ...BOX, w: 0.02, h: 0.02 } }],
    ['only predicted', { predicted: true }],
    ['smoke', { rotulo: 'smoke' }],
  ])('raises no event: %s', (_, rest: Partial<ObservedTrack>) => {
    expect(scene(config()).hold(200, flame(1, rest))).toEqual([])
  })

  it('waits for evidence, which replaces the scores without evidence', () => {
    const s = scene(config())
    expect(s.hold(7, flame(1, { confianca: 0.95, evidence: {} }))).toEqual([])
    expect(s.hold(50, flame(1, { confianca: 0.95, evidence: { fogo: LAMP } }))).toEqual([])
  })

  it('decides without evidence if none ever arrives', () => {
    const s = scene(config())
    expect(s.hold(8, flame(1, { evidence: {} }))).toEqual([])
    expect(s.hold(2, flame(1, { evidence: {} }))).toHaveLength(1)
    expect(scene(config()).hold(50, flame(1, { evidence: {}, confianca: 0.45 }))).toEqual([])
  })

  it('tolerates inferences without the flame, up to half of them', () => {
    const lost = flame(1, { predicted: true })
    const run = (pattern: boolean[]) => {
      const s = scene(config())
      return pattern.flatMap((seen) => s.show(seen ? flame(1) : lost))
    }
    expect(run([true, false, true, false, true, false, true])).toHaveLength(1)
    const seldom = Array.from({ length: 60 }, (_, i) => i % 3 === 0)
    expect(run(seldom)).toEqual([])
  })

  it('needs the foot of the flame in the zone', () => {
    const low = { zonas: [[0, 0.8, 1, 0.8, 1, 1, 0, 1]] }
    expect(scene(config({}, low)).hold(20, flame(1))).toEqual([])
    const tall = { box: { ...BOX, h: 0.45 } }
    expect(scene(config({}, low)).hold(20, flame(1, tall))).toMatchObject([{ zona: 0 }])
  })

  it('waits until the Agenda arms the IA', () => {
    const s = scene(config({}, { agenda: { inicio: 13, fim: 14, dias: [] } }))
    expect(s.hold(20, flame(1))).toEqual([])
    s.skip(3600)
    expect(s.hold(20, flame(1))).toHaveLength(1)
  })

  it('reports all simultaneous flames in one event', () => {
    const other = flame(2, { box: { ...BOX, x: 0.8, w: 0.15 } })
    const fired = scene(config()).hold(20, flame(1), other)
    expect(fired.map(({ trackIds }) => trackIds)).toEqual([[2, 1]])
    expect(fired[0]?.caixas).toHaveLength(2)
  })
})

describe('a continuing fire', () => {
  it('is one event for an hour, also with jumping boxes and new tracks', () => {
    const s = scene(config({ resfriamento_s: 60 }))
    const jump = (i: number): Box => ({ x: 0.4 + 0.02 * (i % 3), y: 0.5, w: 0.08 + 0.03 * (i % 2), h: 0.1 })
    const fired = Array.from({ length: 7200 }, (_, i) => s.show(flame(Math.floor(i / 50), { box: jump(i) }))).flat()
    expect(fired).toHaveLength(1)
  })

  it('does not fire again after growing by half, or jumping to a neighbouring position', () => {
    const s = scene(config())
    expect(s.hold(10, flame(1))).toHaveLength(1)
    expect(s.hold(100, flame(1, { box: { ...BOX, w: 0.15 } }))).toEqual([])
    expect(s.hold(100, flame(2, { box: { ...BOX, x: 0.56 } }))).toEqual([])
  })

  it('fires again, after the cooldown, when it has doubled', () => {
    const s = scene(config({ resfriamento_s: 60 }))
    const large = flame(1, { box: { x: 0.35, y: 0.4, w: 0.2, h: 0.2 } })
    expect(s.hold(10, flame(1))).toHaveLength(1)
    expect(s.hold(100, large)).toEqual([])
    expect(s.hold(20, large)).toHaveLength(1)
    expect(s.hold(400, large)).toEqual([])
  })

  it('fires again after two minutes without flames, but not after one', () => {
    const s = scene(config())
    expect(s.hold(10, flame(1))).toHaveLength(1)
    s.skip(60)
    expect(s.hold(10, flame(2))).toEqual([])
    s.skip(121)
    expect(s.hold(10, flame(3))).toHaveLength(1)
  })

  it('does not suppress another fire elsewhere, which waits for the cooldown', () => {
    const s = scene(config({ resfriamento_s: 60 }))
    const other = flame(2, { box: { ...BOX, x: 0.05, y: 0.1 } })
    expect(s.hold(10, flame(1))).toHaveLength(1)
    expect(s.hold(100, flame(1), other)).toEqual([])
    expect(s.hold(30, flame(1), other)).toHaveLength(1)
  })

  it('does not fire again after a restart, and the cooldown continues', () => {
    const first = scene(config({ resfriamento_s: 60 }))
    expect(first.hold(10, flame(1))).toHaveLength(1)
    const saved = JSON.parse(JSON.stringify(first.analysis.state()))
    const second = scene(config({ resfriamento_s: 60 }), saved, first.now() + 5_000, 3)
    expect(second.analysis.state()).toEqual(saved)
    const other = flame(2, { box: { ...BOX, x: 0.05, y: 0.1 } })
    expect(second.hold(90, flame(1), other)).toEqual([])
    expect(second.hold(30, flame(1), other)).toHaveLength(1)
    expect(second.hold(200, flame(1), other)).toEqual([])
  })

  it.each([[null], [7], [{ v: 2 }], [{ v: 1, [FIRES]: [{ box: {} }], firedAt: 'x' }]])(
    'ignores an unreadable state: %o',
    (state) => {
      expect(scene(config(), state).hold(5, flame(1))).toHaveLength(1)
    },
  )
})
