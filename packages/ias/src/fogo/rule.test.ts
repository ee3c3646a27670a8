import { describe, expect, it } from 'vitest'
import type { Box } from '../geometry.ts'
import type { AnalysisConfig, Fired, ObservedTrack } from '../observation.ts'
import { createScene, START, sceneConfig, seen } from '../test-scene.ts'

/** Two looks of the fire model a second. */
const STEP_MS = 500
const BOX: Box = { x: 0.4, y: 0.5, w: 0.1, h: 0.1 }
const FLAME = { colour: 0.7, flicker: 0.7 }
const LAMP = { colour: 0.9, flicker: 0.01 }

const config = (limits: Record<string, number> = {}, rest: Partial<AnalysisConfig> = {}) =>
  sceneConfig('fogo', limits, rest)

const flame = (id: number, rest: Partial<ObservedTrack> = {}) =>
  seen(id, 'fire', BOX, { confianca: 0.7, hits: 1, motion: 0.3, evidence: { fogo: FLAME }, ...rest })

function scene(settings: AnalysisConfig, state?: unknown, startEpoch = START, startStream = 1000) {
  const { hold: _, ...looks } = createScene(settings, state, startEpoch, startStream, STEP_MS)
  return {
    ...looks,
    hold: (count: number, ...tracks: ObservedTrack[]): Fired[] =>
      Array.from({ length: count }, () => looks.show(...tracks)).flat(),
    now: () => startEpoch + looks.elapsed() * 1000,
  }
}

describe('what fires', () => {
  it('fires at the fourth look, within 3 s, with box, label, zone and how sure it is', () => {
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
    ['a detector that is half sure, where it flickers in the colours of a flame', { confianca: 0.3 }],
    [
      'a hint of the detector, where colours and flicker are beyond doubt',
      { confianca: 0.1, evidence: { fogo: { colour: 1, flicker: 0.9 } } },
    ],
    [
      'an infrared picture: no colours, and so no flicker',
      { confianca: 0.92, evidence: { fogo: { colour: 0, flicker: 0 } } },
    ],
  ])('fires: %s', (_, rest: Partial<ObservedTrack>) => {
    expect(scene(config()).hold(8, flame(1, rest))).toHaveLength(1)
  })

  it.each([
    ['a poster, a lamp, the sunset: sure, and nothing stirs', { confianca: 0.98, evidence: { fogo: LAMP } }],
    ['a welding arc: it flickers, without colour', { confianca: 0.7, evidence: { fogo: { colour: 0, flicker: 1 } } }],
    ['what the detector does not even hint at', { confianca: 0.05 }],
    [
      'a hint of the detector, at a place that is not restless beyond doubt',
      { confianca: 0.1, evidence: { fogo: { colour: 0.7, flicker: 0.65 } } },
    ],
    ['smaller than area_min', { box: { ...BOX, w: 0.02, h: 0.02 } }],
    ['only predicted', { predicted: true }],
    ['smoke', { rotulo: 'smoke' }],
  ])('stays silent: %s', (_, rest: Partial<ObservedTrack>) => {
    expect(scene(config()).hold(200, flame(1, rest))).toEqual([])
  })

  it('waits for evidence, which forgets what was thought without it', () => {
    const s = scene(config())
    expect(s.hold(7, flame(1, { confianca: 0.95, evidence: {} }))).toEqual([])
    expect(s.hold(50, flame(1, { confianca: 0.95, evidence: { fogo: LAMP } }))).toEqual([])
  })

  it('decides alone where no evidence ever comes', () => {
    const s = scene(config())
    expect(s.hold(8, flame(1, { evidence: {} }))).toEqual([])
    expect(s.hold(2, flame(1, { evidence: {} }))).toHaveLength(1)
    expect(scene(config()).hold(50, flame(1, { evidence: {}, confianca: 0.45 }))).toEqual([])
  })

  it('forgives looks in which the flame was not found, and asks for half of them', () => {
    const lost = flame(1, { predicted: true })
    const run = (pattern: boolean[]) => {
      const s = scene(config())
      return pattern.flatMap((seen) => s.show(seen ? flame(1) : lost))
    }
    expect(run([true, false, true, false, true, false, true])).toHaveLength(1)
    const seldom = Array.from({ length: 60 }, (_, i) => i % 3 === 0)
    expect(run(seldom)).toEqual([])
  })

  it('looks at where it burns: the foot of the flame must be in the zone', () => {
    const low = { zonas: [[0, 0.8, 1, 0.8, 1, 1, 0, 1]] }
    expect(scene(config({}, low)).hold(20, flame(1))).toEqual([])
    const tall = { box: { ...BOX, h: 0.45 } }
    expect(scene(config({}, low)).hold(20, flame(1, tall))).toMatchObject([{ zona: 0 }])
  })

  it('waits until the Agenda arms it', () => {
    const s = scene(config({}, { agenda: { inicio: 13, fim: 14, dias: [] } }))
    expect(s.hold(20, flame(1))).toEqual([])
    s.skip(3600)
    expect(s.hold(20, flame(1))).toHaveLength(1)
  })

  it('tells of everything that burns at once in one event', () => {
    const other = flame(2, { box: { ...BOX, x: 0.8, w: 0.15 } })
    const fired = scene(config()).hold(20, flame(1), other)
    expect(fired.map(({ trackIds }) => trackIds)).toEqual([[2, 1]])
    expect(fired[0]?.caixas).toHaveLength(2)
  })
})

describe('a fire that goes on', () => {
  it('is one event for an hour, also with boxes that jump and tracks that begin anew', () => {
    const s = scene(config({ resfriamento_s: 60 }))
    const jump = (i: number): Box => ({ x: 0.4 + 0.02 * (i % 3), y: 0.5, w: 0.08 + 0.03 * (i % 2), h: 0.1 })
    const fired = Array.from({ length: 7200 }, (_, i) => s.show(flame(Math.floor(i / 50), { box: jump(i) }))).flat()
    expect(fired).toHaveLength(1)
  })

  it('is not told of again when it has grown by half, or leaps to just beside where it was', () => {
    const s = scene(config())
    expect(s.hold(10, flame(1))).toHaveLength(1)
    expect(s.hold(100, flame(1, { box: { ...BOX, w: 0.15 } }))).toEqual([])
    expect(s.hold(100, flame(2, { box: { ...BOX, x: 0.56 } }))).toEqual([])
  })

  it('is told of again, after the cooldown, when it has doubled', () => {
    const s = scene(config({ resfriamento_s: 60 }))
    const large = flame(1, { box: { x: 0.35, y: 0.4, w: 0.2, h: 0.2 } })
    expect(s.hold(10, flame(1))).toHaveLength(1)
    expect(s.hold(100, large)).toEqual([])
    expect(s.hold(20, large)).toHaveLength(1)
    expect(s.hold(400, large)).toEqual([])
  })

  it('is told of again when it was out for two minutes, and not after one', () => {
    const s = scene(config())
    expect(s.hold(10, flame(1))).toHaveLength(1)
    s.skip(60)
    expect(s.hold(10, flame(2))).toEqual([])
    s.skip(121)
    expect(s.hold(10, flame(3))).toHaveLength(1)
  })

  it('does not hide another one elsewhere, which waits for the cooldown', () => {
    const s = scene(config({ resfriamento_s: 60 }))
    const other = flame(2, { box: { ...BOX, x: 0.05, y: 0.1 } })
    expect(s.hold(10, flame(1))).toHaveLength(1)
    expect(s.hold(100, flame(1), other)).toEqual([])
    expect(s.hold(30, flame(1), other)).toHaveLength(1)
  })

  it('is not told of again after a restart, and the cooldown goes on', () => {
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

  it.each([[null], [7], [{ v: 2 }], [{ v: 1, places: [{ box: {} }], firedAt: 'x' }]])(
    'starts afresh from %o',
    (state) => {
      expect(scene(config(), state).hold(5, flame(1))).toHaveLength(1)
    },
  )
})
