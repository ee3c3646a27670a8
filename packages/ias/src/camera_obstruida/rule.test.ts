import { describe, expect, it } from 'vitest'
import { calibracaoPadrao } from '../catalogue.ts'
import type { AnalysisConfig, Fired } from '../observation.ts'
import { ALERTED } from '../stored-keys.ts'
import type { PictureHealth, ProblemaImagem } from '../tasks/imagem.ts'
import { createRule } from './rule.ts'

const STEP_MS = 200
const START = Date.parse('2026-11-09T15:00:00Z')
const GOOD: PictureHealth = { coberta: 0.1, desfocada: 0.2, ofuscada: 0, desviada: 0.3, congelada: 0, preta: 0 }
const bad = (problem: ProblemaImagem, value = 0.9): PictureHealth => ({ ...GOOD, [problem]: value })

const config = (limits: Record<string, number> = {}, rest: Partial<AnalysisConfig> = {}): AnalysisConfig => ({
  ia: 'camera_obstruida',
  calibracao: { ...calibracaoPadrao.camera_obstruida, resfriamento_s: 0, ...limits },
  agenda: null,
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
  ...rest,
})

/** Five pictures a second. */
function camera(settings: AnalysisConfig, state?: unknown, startEpoch = START, startStream = 1000) {
  const analysis = createRule(settings, state)
  let frame = 0
  const show = (picture: PictureHealth | null): Fired[] => {
    const at = frame++ * STEP_MS
    const evidence = picture ? { imagem: picture } : {}
    return analysis.update({ tracks: [], epochMs: startEpoch + at, streamMs: startStream + at, evidence })
  }
  const frames = (seconds: number) => Math.round((seconds * 1000) / STEP_MS)
  return {
    analysis,
    show,
    hold: (seconds: number, picture: PictureHealth | null): Fired[] =>
      Array.from({ length: frames(seconds) }, () => show(picture)).flat(),
    skip(seconds: number) {
      frame += frames(seconds)
    },
    now: () => startEpoch + frame * STEP_MS,
  }
}

describe('the rule', () => {
  it('fires once after permanencia_s with the problem and the duration, without a box', () => {
    const c = camera(config())
    c.hold(60, GOOD)
    expect(c.hold(10, bad('coberta'))).toEqual([])
    const [fired, ...more] = c.hold(120, bad('coberta'))
    expect(more).toEqual([])
    expect(fired).toMatchObject({ ia: 'camera_obstruida', trackIds: [], caixas: [], zona: null, rotulos: ['coberta'] })
    expect(fired?.detalhes).toEqual({ problema: 'coberta', duracao_s: 10 })
    expect(fired?.confianca).toBeCloseTo(0.9)
  })

  it.each(['coberta', 'desfocada', 'ofuscada', 'desviada', 'congelada', 'preta'] as const)('%s', (problem) => {
    const c = camera(config())
    c.hold(5, GOOD)
    expect(c.hold(15, bad(problem)).map(({ detalhes }) => detalhes.problema)).toEqual([problem])
  })

  it('fires when the picture is bad from the first frame on', () => {
    expect(camera(config()).hold(11, bad('preta'))).toHaveLength(1)
  })

  it('reports the problem with the largest sum over the whole time', () => {
    const c = camera(config())
    c.hold(3, bad('desfocada', 0.7))
    const hand = { ...bad('coberta', 0.95), desfocada: 0.7 }
    expect(c.hold(10, hand).map(({ rotulos }) => rotulos)).toEqual([['coberta']])
  })

  it.each([
    ['below conf', bad('coberta', 0.59), 60],
    ['not judged', null, 60],
    ['too short: a truck that stops in front', bad('coberta'), 9],
  ])('raises no event: %s', (_, picture, seconds) => {
    const c = camera(config())
    c.hold(5, GOOD)
    expect(c.hold(seconds, picture)).toEqual([])
    expect(c.hold(30, GOOD)).toEqual([])
  })

  it('needs min_quadros frames, regardless of the time', () => {
    const c = camera(config())
    const seldom = Array.from({ length: 9 }, () => {
      c.skip(5)
      return c.show(bad('preta'))
    })
    expect(seldom.flat()).toEqual([])
    c.skip(5)
    expect(c.show(bad('preta'))).toHaveLength(1)
  })
})

describe('single frames', () => {
  it('fires for a covered lens despite occasional good frames', () => {
    const c = camera(config())
    const fired = Array.from({ length: 60 }, (_, i) => c.show(i % 6 === 5 ? GOOD : bad('coberta')))
    expect(fired.flat()).toHaveLength(1)
  })

  it('does not fire for occasional bad frames', () => {
    const c = camera(config())
    const fired = Array.from({ length: 600 }, (_, i) => c.show(i % 3 === 0 ? bad('ofuscada') : GOOD))
    expect(fired.flat()).toEqual([])
  })

  it('restarts the time after an interruption of the stream', () => {
    const c = camera(config())
    c.hold(6, bad('coberta'))
    c.skip(60)
    expect(c.hold(6, bad('coberta'))).toEqual([])
    expect(c.hold(6, bad('coberta'))).toHaveLength(1)
  })
})

describe('an obstruction', () => {
  it('counts as a new one after half a minute of good picture', () => {
    const c = camera(config())
    expect(c.hold(12, bad('coberta'))).toHaveLength(1)
    c.hold(20, GOOD)
    expect(c.hold(60, bad('coberta'))).toEqual([])
    c.hold(32, GOOD)
    expect(c.hold(12, bad('desviada'))).toHaveLength(1)
  })

  it('raises an event at the end of the cooldown if the lens is still covered', () => {
    const c = camera(config({ resfriamento_s: 300 }))
    expect(c.hold(12, bad('coberta'))).toHaveLength(1)
    c.hold(60, GOOD)
    expect(c.hold(200, bad('coberta'))).toEqual([])
    expect(c.hold(60, bad('coberta')).map(({ detalhes }) => detalhes.duracao_s)).toEqual([237])
  })

  it('raises an event when the Agenda arms the IA an hour later', () => {
    const c = camera(config({}, { agenda: { inicio: 13, fim: 14, dias: [] } }))
    expect(c.hold(3599, bad('coberta'))).toEqual([])
    expect(c.hold(3, bad('coberta'))).toHaveLength(1)
  })

  it('raises no second event after a restart, and the next obstruction fires', () => {
    const first = camera(config())
    expect(first.hold(12, bad('coberta'))).toHaveLength(1)
    const saved = JSON.parse(JSON.stringify(first.analysis.state()))
    const second = camera(config(), saved, first.now() + 5_000, 7)
    expect(second.hold(60, bad('coberta'))).toEqual([])
    second.hold(32, GOOD)
    expect(second.hold(12, bad('coberta'))).toHaveLength(1)
  })

  it.each([[null], ['x'], [{ v: 2, [ALERTED]: true }], [{ v: 1, [ALERTED]: 'yes' }]])(
    'ignores an unreadable state: %o',
    (state) => {
      expect(camera(config(), state).hold(12, bad('preta'))).toHaveLength(1)
    },
  )
})
