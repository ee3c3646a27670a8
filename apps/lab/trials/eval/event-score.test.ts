import { describe, expect, it } from 'vitest'
import type { VideoEvent } from './analyse-video.ts'
import { scoreEvents } from './event-score.ts'
import type { Expectation } from './expectations.ts'

const at = (atS: number, more: Partial<VideoEvent> = {}): VideoEvent => ({
  atS,
  ia: 'invasao',
  confianca: 0.8,
  decisao: 'confirmado',
  motivo: '',
  detalhes: {},
  ...more,
})
const whole = [{ startS: 0, endS: Number.POSITIVE_INFINITY }]
const present = (startS: number, endS: number) => ({ startS, endS, detail: '', required: {} })
const people: Expectation = { expected: [present(6, 20), present(22.7, 44.9)], judged: whole }

describe('scoreEvents', () => {
  it('finds each label once, counts further events as repetitions, and measures from its start', () => {
    const score = scoreEvents('invasao', [at(7.5), at(12), at(30)], people, 60)
    expect(score.labels.map(({ eventS, delayS }) => [eventS, delayS])).toEqual([
      [7.5, 1.5],
      [30, expect.closeTo(7.3)],
    ])
    expect(score).toMatchObject({ repeated: 1, falseEvents: [], unjudged: 0, judgedS: 60 })
  })

  it('counts an event outside every label as false, but allows a tolerance of one second', () => {
    const score = scoreEvents('invasao', [at(5.2), at(21.6), at(50)], people, 60)
    expect(score.falseEvents.map(({ atS }) => atS)).toEqual([21.6, 50])
    expect(score.labels.map(({ eventS, delayS }) => [eventS, delayS])).toEqual([
      [5.2, 0],
      [null, null],
    ])
    // The event at 21.6 is more than a second away from both labels, the event at 21.9 is not.
    expect(scoreEvents('invasao', [at(21.9)], people, 60).labels[1]?.eventS).toBe(21.9)
  })

  it('ignores refuted events in all counts', () => {
    const score = scoreEvents('invasao', [at(7, { decisao: 'refutado' }), at(50, { decisao: 'refutado' })], people, 60)
    expect(score).toMatchObject({ refuted: 2, falseEvents: [], labels: [{ eventS: null }, { eventS: null }] })
  })

  it('counts an event without a verdict', () => {
    expect(scoreEvents('invasao', [at(7, { decisao: null })], people, 60).labels[0]?.eventS).toBe(7)
  })

  it('requires the right direction, separates simultaneous crossings by it, and counts a second one as false', () => {
    const crossing = (startS: number, endS: number, direcao: 'ab' | 'ba') => ({
      ...present(startS, endS),
      required: { direcao },
    })
    const expectation = { expected: [crossing(14.4, 18.1, 'ab'), crossing(15, 19.2, 'ba')], judged: whole }
    const ia = 'cruzamento_linha'
    const [up, down] = [at(16, { ia, detalhes: { direcao: 'ba' } }), at(17, { ia, detalhes: { direcao: 'ab' } })]
    expect(scoreEvents(ia, [up, down], expectation, 30).labels.map(({ eventS }) => eventS)).toEqual([17, 16])
    const twice = scoreEvents(ia, [down, { ...down, atS: 17.5 }], expectation, 30)
    expect(twice.labels.map(({ eventS }) => eventS)).toEqual([17, null])
    expect(twice.falseEvents).toHaveLength(1)
  })

  it('judges only within labelled stretches', () => {
    const quiet: Expectation = { expected: [], judged: [{ startS: 0, endS: 10 }] }
    expect(scoreEvents('invasao', [at(3), at(12)], quiet, 8)).toMatchObject({
      falseEvents: [{ atS: 3 }],
      unjudged: 1,
      judgedS: 8,
    })
    expect(scoreEvents('invasao', [at(3)], null, 8)).toMatchObject({ falseEvents: [], unjudged: 1, judgedS: 0 })
    expect(scoreEvents('fogo', [at(3)], null, 8)).toMatchObject({ unjudged: 0 })
  })
})
