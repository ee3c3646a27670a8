import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import type { ObservedTrack } from '@vigia/ias/observation'
import { describe, expect, it } from 'vitest'
import { type AnalysisSet, type AnalysisSettings, createAnalysisSet } from './analyses.ts'

const FRAME_MS = 200
const BEGINNING = Date.UTC(2026, 10, 9, 15)

const settingsWith = (...ias: readonly (NomeIa | [NomeIa, Record<string, number>])[]): AnalysisSettings => ({
  analises: ias.map((entry) => {
    const [ia, limits] = typeof entry === 'string' ? [entry, {}] : entry
    return { ia, calibracao: { ...calibracaoPadrao[ia], ...limits }, agenda: null }
  }),
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
})

const person = (id: number, hits: number, x = 0.4): ObservedTrack => ({
  id,
  rotulo: 'person',
  confianca: 0.9,
  box: { x, y: 0.4, w: 0.1, h: 0.3 },
  hits,
  predicted: false,
  motion: 1,
  stillMs: 0,
  evidence: {},
})

/** Shows frame `n` of a stream with these tracks. Returns the IAs that fired. */
const show = (set: AnalysisSet, n: number, ...tracks: ObservedTrack[]) => {
  const streamMs = n * FRAME_MS
  return set
    .update({ epochMs: BEGINNING + streamMs, streamMs, tracks, evidence: {} })
    .flatMap(({ ia, fired }) => fired.map(() => ia))
}

describe('a change of the settings', () => {
  it('that concerns other IAs does not affect an analysis', () => {
    const set = createAnalysisSet('objetos', settingsWith('invasao', 'permanencia'), {})
    expect([show(set, 1, person(1, 1)), show(set, 2, person(1, 2))]).toEqual([[], []])
    const next = settingsWith('invasao', ['permanencia', { permanencia_s: 5 }], 'cruzamento_linha')
    set.configure({ ...next, linha: [[0, 0.5, 1, 0.5]], fusoHorario: 'UTC' }, {})
    // The third consecutive frame: a new analysis would need two frames with motion again.
    expect(show(set, 3, person(1, 3))).toEqual(['invasao'])
  })

  it('that concerns an analysis replaces it and keeps its state', () => {
    const set = createAnalysisSet('objetos', settingsWith('invasao'), {})
    for (const n of [1, 2, 3]) show(set, n, person(1, n))
    set.configure(settingsWith(['invasao', { conf: 0.5, resfriamento_s: 3 }]), {})
    // The alerted person stays alerted, and the cooldown continues from the previous event with its new length.
    const later = [4, 5, 6, 7].flatMap((n) => show(set, n, person(1, n), person(2, n, 0.8)))
    expect(later).toEqual([])
    const fired = Array.from({ length: 20 }, (_, i) => 8 + i).filter(
      (n) => show(set, n, person(1, n), person(2, n, 0.8)).length > 0,
    )
    expect(fired).toEqual([18])
  })

  it('that adds an IA starts it from the given state, which existing IAs ignore', () => {
    const before = createAnalysisSet('objetos', settingsWith('invasao'), {})
    for (const n of [1, 2, 3]) show(before, n, person(1, n))
    const [{ state } = { state: null }] = before.update({
      epochMs: BEGINNING + 800,
      streamMs: 800,
      tracks: [person(1, 4)],
      evidence: {},
    })
    const set = createAnalysisSet('objetos', settingsWith('permanencia'), {})
    set.configure(settingsWith('permanencia', 'invasao'), { invasao: state })
    expect([5, 6, 7, 8].flatMap((n) => show(set, n, person(1, n)))).toEqual([])
    set.configure(settingsWith(['permanencia', { conf: 0.5 }], 'invasao'), { invasao: null })
    expect([9, 10, 11].flatMap((n) => show(set, n, person(1, n)))).toEqual([])
  })
})

it('needs people also for epi and abandoned objects, with the lowest confidence of its analyses', () => {
  expect(createAnalysisSet('objetos', settingsWith('epi'), {}).labels()).toEqual(['person'])
  expect(createAnalysisSet('objetos', settingsWith('objeto_abandonado'), {}).labels()).toContain('person')
  expect(createAnalysisSet('objetos', settingsWith(['invasao', { conf: 0.3 }], 'permanencia'), {}).minConf()).toBe(0.3)
  expect(createAnalysisSet('objetos', settingsWith(), {}).minConf()).toBe(1)
})

it('is armed while any of its analyses is armed', () => {
  const night = { inicio: 22, fim: 6, dias: [] }
  const settings = settingsWith('invasao', 'epi')
  const [invasao, epi] = settings.analises
  const set = createAnalysisSet(
    'objetos',
    {
      ...settings,
      analises: [invasao, { ...epi, agenda: night }].flatMap((one) =>
        one ? [one as (typeof settings.analises)[number]] : [],
      ),
    },
    {},
  )
  expect([set.armed(BEGINNING), set.armed(BEGINNING, 'epi'), set.armed(BEGINNING, 'objetos')]).toEqual([
    true,
    false,
    true,
  ])
})
