import { describe, expect, it } from 'vitest'
import { mergeCalibration } from '../calibration.ts'
import type { ConfigIa, NomeIa } from '../catalogue.ts'
import { createScene, START, sceneConfig, seen, standing } from '../test-scene.ts'
import { joinOccasions, type StoredDiscard, type StoredEvent } from './join.ts'
import type { Occasion } from './occasion.ts'
import { replay } from './replay.ts'
import type { Settings } from './settings.ts'
import { unanswerable } from './unanswerable.ts'

const settings = (config: ConfigIa = {}, rest: Partial<Settings> = {}): Settings => ({
  ias: ['invasao', 'cruzamento_linha', 'epi', 'aglomeracao'],
  calibracao: mergeCalibration(config),
  agenda: {},
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
  ...rest,
})

const box = { x: 0.4, y: 0.4, w: 0.1, h: 0.3 }
const event = (key: string, atS: number, rest: Partial<Occasion> = {}): Occasion => {
  const ia: NomeIa = rest.ia ?? 'invasao'
  return {
    key,
    ia,
    fired: true,
    stopped: null,
    epochMs: START + atS * 1000,
    confianca: 0.6,
    caixas: [{ rotulo: 'person', confianca: 0.6, ...box }],
    trajeto: [],
    detalhes: {},
    calibracao: mergeCalibration({})[ia],
    visit: null,
    track: null,
    marks: null,
    complete: true,
    ...rest,
  }
}
const discarded = (key: string, atS: number, rest: Partial<Occasion> = {}) =>
  event(key, atS, { fired: false, stopped: 'resfriamento', ...rest })

const run = (
  occasions: readonly Occasion[],
  after: Settings,
  { before = settings(), lastFiredAt = {} }: { before?: Settings; lastFiredAt?: Partial<Record<NomeIa, number>> } = {},
) =>
  replay({ occasions, before, after, lastFiredAt }).map(({ occasion, firesAt, loss, exact }) => [
    occasion.key,
    loss ?? (firesAt === null ? null : (firesAt - START) / 1000),
    exact,
  ])

describe('replay with the settings in force', () => {
  it('returns each event at its time, exactly', () => {
    const events = [event('a', 0), event('b', 10), event('c', 40)]
    expect(run(events, settings())).toEqual([
      ['a', 0, true],
      ['b', 10, true],
      ['c', 40, true],
    ])
  })
})

describe('replay of events alone', () => {
  it('drops what is below a higher conf, as an estimate: the object may have become clearer later', () => {
    const after = settings({ invasao: { conf: 0.65 } })
    expect(run([event('a', 0), event('b', 20, { confianca: 0.8 })], after)).toEqual([
      ['a', 'conf', false],
      ['b', 20, false],
    ])
  })
  it('drops what a longer cooldown stops, counted from the last event; what follows is an estimate', () => {
    const after = settings({ invasao: { resfriamento_s: 60 } })
    const events = [event('a', 10), event('b', 54), event('c', 75)]
    const lastFiredAt = { invasao: START - 5_000 }
    expect(run(events, after, { lastFiredAt })).toEqual([
      ['a', 'resfriamento', false],
      ['b', 'resfriamento', false],
      ['c', 75, false],
    ])
  })
  it('drops what the Agenda does not cover: exactly, unless it opens within minutes', () => {
    // START is noon.
    const evening = settings({}, { agenda: { invasao: { inicio: 13, fim: 20, dias: [] } } })
    expect(run([event('noon', 0), event('nearly', 3_500), event('one', 3_600)], evening)).toEqual([
      ['noon', 'agenda', true],
      ['nearly', 'agenda', false],
      ['one', 3_600, false],
    ])
  })
  it('estimates zones from the path, and from the boxes without one', () => {
    const left = settings({}, { zonas: [[0, 0, 0.3, 0, 0.3, 1, 0, 1]] })
    const trajeto = [-800, -600, -400, -200, 0].map((ms) => ({ ms, ...box, x: 0.1 }))
    expect(run([event('right', 0), event('left', 20, { trajeto })], left)).toEqual([
      ['right', 'zona', false],
      ['left', 20, false],
    ])
  })
  it('estimates another line from the path', () => {
    const before = settings({}, { linha: [[0, 0.9, 1, 0.9]] })
    const after = settings({}, { linha: [[0, 0.5, 1, 0.5]] })
    const walk = (toY: number) => [0, 1, 2, 3, 4, 5].map((n) => ({ ms: n * 200 - 1000, ...box, y: (toY * n) / 5 }))
    const ia = 'cruzamento_linha'
    const events = [event('far', 0, { ia, trajeto: walk(0.6) }), event('near', 20, { ia, trajeto: walk(0.1) })]
    expect(run(events, after, { before })).toEqual([
      ['far', 0, false],
      ['near', 'linha', false],
    ])
  })
  it('applies the cooldown of crossings to one track and one direction', () => {
    const after = settings({ cruzamento_linha: { resfriamento_s: 60 } })
    const crossing = (key: string, atS: number, track: string, direcao: 'ab' | 'ba') =>
      event(key, atS, { ia: 'cruzamento_linha', track, detalhes: { direcao } })
    const events = [crossing('a', 0, 'p', 'ab'), crossing('b', 1, 'q', 'ab'), crossing('c', 5, 'p', 'ba')]
    expect(run([...events, crossing('d', 9, 'p', 'ab')], after).map(([key, loss]) => [key, loss])).toEqual([
      ['a', 0],
      ['d', 'resfriamento'],
      ['b', 1],
      ['c', 5],
    ])
  })
  it('follows the own thresholds of an IA', () => {
    const after = settings({
      cruzamento_linha: { direcao: 1 },
      aglomeracao: { min_pessoas: 8 },
      epi: { exigir_capacete: false },
    })
    const events = [
      event('ab', 0, { ia: 'cruzamento_linha', detalhes: { direcao: 'ab' } }),
      event('ba', 20, { ia: 'cruzamento_linha', detalhes: { direcao: 'ba' } }),
      event('six', 0, { ia: 'aglomeracao', detalhes: { pessoas: 6 } }),
      event('helmet', 0, { ia: 'epi', detalhes: { faltam: ['capacete'] } }),
    ]
    expect(run(events, after).map(([key, loss]) => [key, loss])).toEqual([
      ['ab', 0],
      ['ba', 'direcao'],
      ['six', 'pessoas'],
      ['helmet', 'itens'],
    ])
  })
  it('drops every event of an IA that is off', () => {
    expect(run([event('a', 0)], settings({}, { ias: ['epi'] }))).toEqual([['a', 'ia', true]])
  })
})

describe('replay with marks', () => {
  const mark = (ms: number, confianca: number) => ({ ms, confianca, area: 0.03, outside: false })
  const walker = event('a', 0, { visit: 'v', marks: [mark(0, 0.5), mark(400, 0.62), mark(800, 0.9)] })

  it('moves an event to the frame that meets a higher conf', () => {
    expect(run([walker], settings({ invasao: { conf: 0.62 } }))).toEqual([['a', 0.4, true]])
    expect(run([walker], settings({ invasao: { conf: 0.91 } }))).toEqual([['a', 'conf', true]])
  })
  it('applies a larger area_min', () => {
    expect(run([walker], settings({ invasao: { area_min: 0.04 } }))).toEqual([['a', 'area', true]])
  })
  it('lets another object come where the event before it does not', () => {
    const waiting = discarded('b', 2, { visit: 'w', confianca: 0.7, marks: [mark(0, 0.7), mark(1_000, 0.7)] })
    expect(run([walker, waiting], settings())).toEqual([['a', 0, true]])
    expect(run([walker, waiting], settings({ invasao: { conf: 0.95 } }))).toEqual([['a', 'conf', true]])
    const without = { ...walker, marks: [mark(0, 0.5)] }
    expect(run([without, waiting], settings({ invasao: { conf: 0.6 } }))).toEqual([
      ['a', 'conf', true],
      ['b', 2, true],
    ])
  })
  it('counts one visit of several tracks once', () => {
    const again = discarded('b', 30, { visit: 'v', stopped: 'alertado', marks: [mark(0, 0.95)] })
    expect(run([walker, again], settings())).toEqual([['a', 0, true]])
    expect(run([walker, again], settings({ invasao: { conf: 0.93 } }))).toEqual([['a', 30, true]])
  })
})

describe('unanswerable', () => {
  const kept = { desde: START, ate: START + 86_400_000, discards: false, unmarked: [], highest: {} }
  const ask = (after: Settings, before = settings()) => unanswerable(before, after, kept)
  it.each([
    [{ invasao: { conf: 0.3 } }, 'conf_menor'],
    [{ invasao: { area_min: 0.0001 } }, 'area_menor'],
    [{ epi: { area_min: 0.2 } }, 'outro_modelo'],
    [{ invasao: { min_quadros: 9 } }, 'min_quadros'],
    [{ invasao: { resfriamento_s: 1 } }, 'resfriamento_menor'],
    [{ aglomeracao: { min_pessoas: 2 } }, 'pessoas_menos'],
  ] satisfies [ConfigIa, string][])('%j: %s', (config, reason) => {
    expect(ask(settings(config))?.reason).toBe(reason)
  })
  it('names a new IA, longer hours and items that were not checked', () => {
    expect(ask(settings({}, { ias: ['fogo'] }))?.reason).toBe('ia_nova')
    const night = settings({}, { agenda: { invasao: { inicio: 22, fim: 6, dias: [] } } })
    expect(ask(settings(), night)).toEqual({ ia: 'invasao', reason: 'agenda_maior', limiar: null })
    expect(ask(night)).toBeNull()
    const helmet = settings({ epi: { exigir_colete: false } })
    expect(ask(settings(), helmet)?.reason).toBe('itens_mais')
    expect(
      ask(settings({ cruzamento_linha: { direcao: 2 } }), settings({ cruzamento_linha: { direcao: 1 } }))?.reason,
    ).toBe('direcao_mais')
  })
  it('compares with the highest conf of the period', () => {
    const highest = { invasao: { conf: 0.7, area_min: 0.0015 } }
    const after = settings({ invasao: { conf: 0.6 } })
    expect(unanswerable(settings(), after, { ...kept, highest })?.reason).toBe('conf_menor')
    expect(unanswerable(settings(), after, kept)).toBeNull()
  })
  it('answers more where the edge reported the tracks without an event', () => {
    const more = { ...kept, discards: true }
    const asked = (config: ConfigIa, before = settings()) =>
      unanswerable(before, settings(config), more)?.reason ?? null
    expect(asked({ invasao: { conf: 0.41, resfriamento_s: 1, area_min: 0.0001 } })).toBeNull()
    expect(asked({ invasao: { conf: 0.39 } })).toBe('conf_menor')
    expect(asked({ epi: { conf: 0.1 } })).toBe('conf_menor')
    const night = { inicio: 22, fim: 6, dias: [] }
    // Another IA of the same model was armed.
    expect(asked({}, settings({}, { agenda: { invasao: night } }))).toBeNull()
    expect(asked({}, settings({}, { ias: ['invasao'], agenda: { invasao: night } }))).toBe('agenda_maior')
  })
})

describe('replay of stays', () => {
  const ia = 'permanencia'
  /** Seconds in the scene of each person, one after the other, two minutes apart. */
  const stays = [8, 40, 20, 70]

  /** The rule with this time; its events, and its marks as an edge reports them. */
  function play(permanencia_s: number) {
    const scene = createScene(sceneConfig(ia, { permanencia_s }))
    const calibracao = mergeCalibration({ [ia]: { permanencia_s, resfriamento_s: 0 } })[ia]
    const events: StoredEvent[] = []
    const discards = new Map<number, StoredDiscard>()
    const frame = (id: number | null) => {
      const epochMs = START + scene.elapsed() * 1000
      const box = standing({ x: 0.2 * (id ?? 1), y: 0.8 })
      const fired = scene.show(...(id === null ? [] : [seen(id, 'person', box)]))
      for (const { confianca, caixas, detalhes } of fired)
        events.push({
          key: `e${id}`,
          ia,
          epochMs,
          confianca,
          caixas,
          detalhes,
          trajeto: [],
          calibracao,
          trilha: `${id}`,
        })
      for (const chance of scene.analysis.chances?.() ?? []) {
        const trilha = `${chance.trackId}`
        const known = discards.get(chance.trackId)
        const first = known?.epochMs ?? epochMs
        discards.set(chance.trackId, {
          key: `d${id}`,
          ia,
          epochMs: first,
          trilha,
          visita: `${chance.visitTrackId}`,
          completo: true,
          confianca: 0.8,
          caixa: { rotulo: 'person', confianca: 0.8, ...box },
          trajeto: [],
          calibracao,
          motivo: chance.stop ?? 'alertado',
          disparouMs: chance.stop === null ? epochMs - first : (known?.disparouMs ?? null),
          marcas: [
            ...(known?.marcas ?? []),
            [epochMs - first, chance.confianca, chance.area, chance.stop === 'zona' ? 1 : 0],
          ],
        })
      }
    }
    for (const [index, seconds] of stays.entries()) {
      for (let n = 0; n < seconds * 5; n++) frame(index + 1)
      frame(null)
      scene.skip(120)
    }
    return { events, discards: [...discards.values()] }
  }

  const times = (permanencia_s: number) => settings({ [ia]: { permanencia_s, resfriamento_s: 0 } }, { ias: [ia] })
  const base = play(30)

  it('reports who stayed too short, with the reason', () => {
    expect(base.discards.map(({ motivo, disparouMs }) => [motivo, disparouMs !== null])).toEqual([
      ['duracao', false],
      ['alertado', true],
      ['duracao', false],
      ['alertado', true],
    ])
  })

  it.each([5, 10, 25, 30, 35, 60, 300])(
    'with %d s estimates the events of the rule with that time',
    (permanencia_s) => {
      const outcomes = replay({
        occasions: joinOccasions(base.events, base.discards),
        lastFiredAt: {},
        before: times(30),
        after: times(permanencia_s),
      })
      const at = outcomes.flatMap(({ firesAt }) => (firesAt === null ? [] : [firesAt])).toSorted((a, b) => a - b)
      const expected = play(permanencia_s).events.map(({ epochMs }) => epochMs)
      expect(at).toHaveLength(expected.length)
      // The first frame of a stay has no mark, because it shows no motion yet.
      for (const [index, epochMs] of expected.entries()) expect(Math.abs((at[index] ?? 0) - epochMs)).toBeLessThan(300)
      expect(outcomes.every(({ exact }) => exact)).toBe(permanencia_s === 30)
      expect(outcomes.filter(({ loss }) => loss !== null).every(({ loss }) => loss === 'duracao')).toBe(true)
    },
  )

  it('needs the marks of every stay, and no much longer time', () => {
    const kept = { desde: START, ate: START + 86_400_000, discards: true, unmarked: [], highest: {} }
    expect(unanswerable(times(30), times(10), kept)).toBeNull()
    expect(unanswerable(times(30), times(330), kept)).toBeNull()
    const longer = { ia, reason: 'duracao_maior', limiar: 'permanencia_s' }
    expect(unanswerable(times(30), times(331), kept)).toEqual(longer)
    const unknown = { ...longer, reason: 'duracao' }
    expect(unanswerable(times(30), times(10), { ...kept, unmarked: [ia] })).toEqual(unknown)
    expect(unanswerable(times(30), times(10), { ...kept, discards: false })).toEqual(unknown)
  })
})
