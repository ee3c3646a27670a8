import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import type { ObservedTrack } from '@vigia/ias/observation'
import { describe, expect, it } from 'vitest'
import { type AnalysisSet, createAnalysisSet, type Watch } from './analyses.ts'

const FRAME_MS = 200
const BEGINNING = Date.UTC(2026, 10, 9, 15)

const watching = (...ias: readonly (NomeIa | [NomeIa, Record<string, number>])[]): Watch => ({
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

/** Shows frame `n` of a stream with these tracks; the IAs that fired. */
const show = (set: AnalysisSet, n: number, ...tracks: ObservedTrack[]) => {
  const streamMs = n * FRAME_MS
  return set
    .update({ epochMs: BEGINNING + streamMs, streamMs, tracks, evidence: {} })
    .flatMap(({ ia, fired }) => fired.map(() => ia))
}

describe('a change of the settings', () => {
  it('of others leaves an analysis just as it was', () => {
    const set = createAnalysisSet('objetos', watching('invasao', 'permanencia'), {})
    expect([show(set, 1, person(1, 1)), show(set, 2, person(1, 2))]).toEqual([[], []])
    const next = watching('invasao', ['permanencia', { permanencia_s: 5 }], 'cruzamento_linha')
    set.watch({ ...next, linha: [[0, 0.5, 1, 0.5]], fusoHorario: 'UTC' }, {})
    // The third frame in a row: made anew, it would have to see movement twice again.
    expect(show(set, 3, person(1, 3))).toEqual(['invasao'])
  })

  it('of its own makes it anew, with what it remembers', () => {
    const set = createAnalysisSet('objetos', watching('invasao'), {})
    for (const n of [1, 2, 3]) show(set, n, person(1, n))
    set.watch(watching(['invasao', { conf: 0.5, resfriamento_s: 3 }]), {})
    // The one who was told of stays told of, and the cooldown goes on from the event before, with its new length.
    const later = [4, 5, 6, 7].flatMap((n) => show(set, n, person(1, n), person(2, n, 0.8)))
    expect(later).toEqual([])
    const fired = Array.from({ length: 20 }, (_, i) => 8 + i).filter(
      (n) => show(set, n, person(1, n), person(2, n, 0.8)).length > 0,
    )
    expect(fired).toEqual([18])
  })

  it('takes up what an IA that is added remembers from earlier, and not what others say of one that is there', () => {
    const before = createAnalysisSet('objetos', watching('invasao'), {})
    for (const n of [1, 2, 3]) show(before, n, person(1, n))
    const [{ state } = { state: null }] = before.update({
      epochMs: BEGINNING + 800,
      streamMs: 800,
      tracks: [person(1, 4)],
      evidence: {},
    })
    const set = createAnalysisSet('objetos', watching('permanencia'), {})
    set.watch(watching('permanencia', 'invasao'), { invasao: state })
    expect([5, 6, 7, 8].flatMap((n) => show(set, n, person(1, n)))).toEqual([])
    set.watch(watching(['permanencia', { conf: 0.5 }], 'invasao'), { invasao: null })
    expect([9, 10, 11].flatMap((n) => show(set, n, person(1, n)))).toEqual([])
  })
})

it('looks at people also for what they wear and leave behind, and as weakly as the weakest of its analyses', () => {
  expect(createAnalysisSet('objetos', watching('epi'), {}).labels()).toEqual(['person'])
  expect(createAnalysisSet('objetos', watching('objeto_abandonado'), {}).labels()).toContain('person')
  expect(createAnalysisSet('objetos', watching(['invasao', { conf: 0.3 }], 'permanencia'), {}).minConf()).toBe(0.3)
  expect(createAnalysisSet('objetos', watching(), {}).minConf()).toBe(1)
})

it('is armed while any of its analyses is', () => {
  const night = { inicio: 22, fim: 6, dias: [] }
  const watch = watching('invasao', 'epi')
  const [invasao, epi] = watch.analises
  const set = createAnalysisSet(
    'objetos',
    {
      ...watch,
      analises: [invasao, { ...epi, agenda: night }].flatMap((one) =>
        one ? [one as (typeof watch.analises)[number]] : [],
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
