import { describe, expect, it } from 'vitest'
import type { Box } from '../geometry.ts'
import type { AnalysisConfig, Fired, ObservedTrack } from '../observation.ts'
import { createScene, START, sceneConfig, seen } from '../test-scene.ts'
import { createRule } from './rule.ts'

const BOX: Box = { x: 0.4, y: 0.3, w: 0.1, h: 0.4 }

const config = (limits: Record<string, number> = {}, rest: Partial<AnalysisConfig> = {}) =>
  sceneConfig('invasao', limits, rest)

const person = (id: number, hits: number, rest: Partial<ObservedTrack> = {}) =>
  seen(id, 'person', BOX, { hits, ...rest })

/** Runs frame after frame. The stream clock of a new scene starts at an arbitrary value, as after a restart. */
function scene(settings: AnalysisConfig, state?: unknown, startEpoch = START, startStream = 1000) {
  const { hold: _, ...frames } = createScene(settings, state, startEpoch, startStream)
  return {
    ...frames,
    /** The same tracks for `count` frames, with increasing `hits`. */
    hold: (count: number, ...tracks: ObservedTrack[]): Fired[] =>
      Array.from({ length: count }, (_, i) =>
        frames.show(...tracks.map((track) => ({ ...track, hits: track.hits + i }))),
      ).flat(),
    now: () => startEpoch + frames.elapsed() * 1000,
  }
}

describe('the rule', () => {
  it('fires once, at the third consecutive frame, with box, label, confidence and zone', () => {
    const s = scene(config({}, { zonas: [[0, 0, 1, 0, 1, 1, 0, 1]] }))
    expect(s.show(person(1, 1))).toEqual([])
    expect(s.analysis.promising()).toEqual([1])
    expect(s.show(person(1, 2))).toEqual([])
    expect(s.show(person(1, 3))).toEqual([
      {
        ia: 'invasao',
        trackIds: [1],
        caixas: [{ rotulo: 'person', confianca: 0.8, ...BOX }],
        confianca: 0.8,
        rotulos: ['person'],
        zona: 0,
        detalhes: {},
      },
    ])
    expect(s.hold(50, person(1, 4))).toEqual([])
    expect(s.analysis.promising()).toEqual([])
  })

  it.each([
    ['too little confidence', { confianca: 0.44 }],
    ['too small', { box: { ...BOX, w: 0.01, h: 0.1 } }],
    ['not a person', { rotulo: 'dog' }],
    ['only predicted', { predicted: true }],
    ['never moved', { motion: 0 }],
    ['motion like noise', { motion: 0.02 }],
  ])('raises no event: %s', (_, rest: Partial<ObservedTrack>) => {
    expect(scene(config()).hold(30, person(1, 1, rest))).toEqual([])
  })

  it('needs motion once, not in the frame that fires', () => {
    const s = scene(config())
    expect(s.hold(2, person(1, 1, { confianca: 0.2 }))).toEqual([])
    expect(s.hold(3, person(1, 3, { motion: 0 }))).toHaveLength(1)
  })

  it('waits until the feet are inside the zone', () => {
    const s = scene(config({}, { zonas: [[0, 0.8, 1, 0.8, 1, 1, 0, 1]] }))
    expect(s.hold(10, person(1, 1))).toEqual([])
    expect(s.analysis.promising()).toEqual([])
    expect(s.show(person(1, 11, { box: { ...BOX, y: 0.45 } }))).toMatchObject([{ zona: 0 }])
  })

  it('waits until the Agenda arms the IA', () => {
    // Local time is 12h; the window opens at 13h.
    const s = scene(config({}, { agenda: { inicio: 13, fim: 14, dias: [] } }))
    expect(s.analysis.armed(START)).toBe(false)
    expect(s.hold(10, person(1, 1))).toEqual([])
    s.skip(3600)
    expect(s.analysis.armed(s.now())).toBe(true)
    expect(s.hold(10, person(1, 11))).toHaveLength(1)
  })
})

describe('cooldown', () => {
  const two = (hits: number) => [person(1, hits), person(2, hits, { box: { ...BOX, x: 0.8 } })] as const

  it('defers a second visit, which fires at the end if it still lasts', () => {
    const s = scene(config({ resfriamento_s: 10 }))
    expect(s.hold(3, ...two(1)).map((fired) => fired.trackIds)).toEqual([[1]])
    expect(s.analysis.promising()).toEqual([2])
    expect(s.hold(49, ...two(4))).toEqual([])
    expect(s.hold(3, ...two(60)).map((fired) => fired.trackIds)).toEqual([[2]])
  })

  it('suppresses the event of a person who left before its end', () => {
    const s = scene(config({ resfriamento_s: 10 }))
    expect(s.hold(10, ...two(1))).toHaveLength(1)
    expect(s.hold(100, person(1, 11))).toEqual([])
  })

  it('is off when it is zero: two people at once raise two events', () => {
    expect(scene(config()).hold(3, ...two(1))).toHaveLength(2)
  })

  it('continues after a restart on the wall clock, and is never prolonged when that clock is set back', () => {
    const first = scene(config({ resfriamento_s: 10 }))
    first.hold(3, person(1, 1))
    const saved = JSON.parse(JSON.stringify(first.analysis.state()))
    const other = { box: { ...BOX, x: 0.88, w: 0.05, h: 0.1 } }
    const second = scene(config({ resfriamento_s: 10 }), saved, START + 4_400, 77_000)
    expect(second.hold(29, person(1, 1, other))).toEqual([])
    expect(second.hold(3, person(1, 30, other))).toHaveLength(1)
    const setBack = scene(config({ resfriamento_s: 10 }), saved, START - 86_400_000, 5)
    expect(setBack.hold(50, person(1, 1, other))).toEqual([])
    expect(setBack.hold(5, person(1, 51, other))).toHaveLength(1)
  })
})

describe('one event per visit', () => {
  it('recognises a person whose track was lost and began again nearby', () => {
    const s = scene(config())
    expect(s.hold(5, person(1, 1))).toHaveLength(1)
    s.skip(4)
    expect(s.hold(20, person(2, 1, { box: { ...BOX, x: 0.48 } }))).toEqual([])
  })

  it('recognises a person while the tracker still predicts the old track', () => {
    const s = scene(config())
    expect(s.hold(5, person(1, 1))).toHaveLength(1)
    const guess = person(1, 0, { predicted: true, box: { ...BOX, x: 0.45 } })
    expect(s.hold(20, guess, person(2, 1, { box: { ...BOX, x: 0.5 } }))).toEqual([])
  })

  it('counts two tracks in one frame as two people, also after a wrong match of the second', () => {
    const s = scene(config())
    s.hold(5, person(1, 1))
    const second = person(2, 1, { box: { ...BOX, x: 0.52 } })
    expect(s.hold(2, person(1, 0, { predicted: true }), second)).toEqual([])
    expect(s.hold(3, person(1, 1), { ...second, hits: 3 }).map((fired) => fired.trackIds)).toEqual([[2]])
  })

  it.each([
    ['far away', { ...BOX, x: 0.88 }, 1],
    ['of another size', { ...BOX, w: 0.04, h: 0.15 }, 1],
    ['nearby but long after', { ...BOX, x: 0.5, y: 0.5 }, 15],
    ['on the same spot, a minute after', BOX, 60],
  ])('counts a track as another person: %s', (_, box, gapS) => {
    const s = scene(config())
    s.hold(5, person(1, 1))
    s.skip(gapS)
    expect(s.hold(5, person(2, 1, { box }))).toHaveLength(1)
  })

  it('counts a new track as another person when the first left at the border', () => {
    const s = scene(config())
    for (let i = 0; i < 12; i++) s.show(person(1, i + 1, { box: { ...BOX, x: Math.min(0.9, 0.6 + i * 0.03) } }))
    s.skip(3)
    expect(s.hold(5, person(2, 1, { box: { ...BOX, x: 0.85 } }))).toHaveLength(1)
  })

  it('does not count a second box inside an alerted person', () => {
    const s = scene(config())
    s.hold(5, person(1, 1))
    const head = person(2, 1, { box: { x: 0.42, y: 0.31, w: 0.06, h: 0.1 } })
    expect(s.hold(20, person(1, 6), head)).toEqual([])
  })

  it('keeps alerted visits across a restart, and other people still fire', () => {
    const first = scene(config())
    expect(first.hold(5, person(1, 1))).toHaveLength(1)
    const saved = JSON.parse(JSON.stringify(first.analysis.state()))
    const second = scene(config(), saved, first.now() + 6_000, 3)
    const stranger = person(2, 1, { box: { ...BOX, x: 0.05, y: 0.1 } })
    expect(second.hold(20, person(1, 1, { box: { ...BOX, x: 0.47 } }), stranger).map((f) => f.trackIds)).toEqual([[2]])
  })

  it('does not repeat an alerted person in a group after a restart, but fires for later people', () => {
    const zone = config({}, { zonas: [[0, 0, 0.5, 0, 0.5, 1, 0, 1]] })
    const first = scene(zone)
    expect(first.hold(5, person(1, 1))).toHaveLength(1)
    const saved = JSON.parse(JSON.stringify(first.analysis.state()))
    const second = scene(zone, saved, first.now() + 3_000, 3)
    const at = (id: number, x: number) => person(id, 9, { box: { ...BOX, x } })
    expect(second.hold(10, at(1, 0.62), at(2, 0.58), at(3, 0.54))).toEqual([])
    expect(second.hold(10, at(1, 0.3), at(2, 0.58), at(3, 0.54))).toEqual([])
    expect(second.hold(20, at(1, 0.3), at(2, 0.58), at(3, 0.4)).map((f) => f.trackIds)).toEqual([[3]])
  })

  it('returns the restored state before the first frame', () => {
    const first = scene(config())
    first.hold(5, person(1, 1))
    expect(createRule(config(), first.analysis.state()).state()).toEqual(first.analysis.state())
  })

  it.each([[null], ['x'], [{ v: 2 }], [{ v: 1, alerted: [{ box: null }], firedAt: 'x' }]])(
    'ignores an unreadable state: %o',
    (state) => {
      expect(scene(config(), state).hold(5, person(1, 1))).toHaveLength(1)
    },
  )
})
