import { describe, expect, it } from 'vitest'
import { calibracaoPadrao } from '../catalogue.ts'
import type { Box } from '../geometry.ts'
import type { AnalysisConfig, Fired, ObservedTrack } from '../observation.ts'
import { ALERTED } from '../stored-keys.ts'
import type { EpiEvidence } from '../tasks/epi.ts'
import { createRule } from './rule.ts'

const STEP_MS = 200
const START = Date.parse('2026-11-09T15:00:00Z')
const BOX: Box = { x: 0.4, y: 0.3, w: 0.1, h: 0.4 }
const HEAD = { rotulo: 'no_hardhat', confianca: 0.8, x: 0.43, y: 0.3, w: 0.04, h: 0.06 }
const TORSO = { rotulo: 'no_vest', confianca: 0.7, x: 0.41, y: 0.37, w: 0.08, h: 0.15 }
const nothing: EpiEvidence = { hardhat: 0, noHardhat: 0, vest: 0, noVest: 0, cap: 0, caixas: [] }
const bareHead: EpiEvidence = { ...nothing, noHardhat: 0.8, vest: 0.8, caixas: [HEAD] }
const noVest: EpiEvidence = { ...nothing, hardhat: 0.8, noVest: 0.7, caixas: [TORSO] }
const neither: EpiEvidence = { ...nothing, noHardhat: 0.8, noVest: 0.7, caixas: [HEAD, TORSO] }
const equipped: EpiEvidence = { ...nothing, hardhat: 0.8, vest: 0.8 }

const config = (limits: Record<string, number | boolean> = {}, rest: Partial<AnalysisConfig> = {}): AnalysisConfig => ({
  ia: 'epi',
  calibracao: { ...calibracaoPadrao.epi, resfriamento_s: 0, ...limits },
  agenda: null,
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
  ...rest,
})

const person = (epi: EpiEvidence | null, rest: Partial<ObservedTrack> = {}): ObservedTrack => ({
  id: 1,
  rotulo: 'person',
  confianca: 0.8,
  box: BOX,
  hits: 9,
  predicted: false,
  motion: 0.5,
  stillMs: 0,
  evidence: epi ? { epi } : {},
  ...rest,
})

function scene(settings: AnalysisConfig, state?: unknown, startEpoch = START, startStream = 1000) {
  const analysis = createRule(settings, state)
  let frame = 0
  const show = (...tracks: ObservedTrack[]): Fired[] => {
    const at = frame++ * STEP_MS
    return analysis.update({ tracks, epochMs: startEpoch + at, streamMs: startStream + at, evidence: {} })
  }
  return {
    analysis,
    show,
    hold: (frames: number, ...tracks: ObservedTrack[]): Fired[] =>
      Array.from({ length: frames }, () => show(...tracks)).flat(),
    skip(seconds: number) {
      frame += (seconds * 1000) / STEP_MS
    },
    now: () => startEpoch + frame * STEP_MS,
  }
}
const missingIn = (fired: readonly Fired[]) => fired.map(({ detalhes }) => detalhes.faltam)

describe('the rule', () => {
  it('accepts many required inferences, which may take longer than half a minute', () => {
    const { show, skip } = scene(config({ min_quadros: 100 }))
    const fired = Array.from({ length: 110 }, () => {
      skip(0.4)
      return show(person(bareHead))
    }).flat()
    expect(missingIn(fired)).toEqual([['capacete']])
  })

  it('fires at the fifth inference with a bare head, with the boxes of person and head of that frame', () => {
    const s = scene(config({}, { zonas: [[0, 0, 1, 0, 1, 1, 0, 1]] }))
    expect(s.hold(4, person(bareHead))).toEqual([])
    expect(s.analysis.promising()).toEqual([1])
    const moved = { ...BOX, x: 0.41 }
    const [fired, ...more] = s.show(person(bareHead, { box: moved }))
    expect(more).toEqual([])
    expect(fired).toMatchObject({ ia: 'epi', trackIds: [1], rotulos: ['no_hardhat'], zona: 0 })
    expect(fired?.detalhes).toEqual({ faltam: ['capacete'], cabeca: 'descoberta' })
    expect(fired?.caixas).toEqual([{ rotulo: 'person', confianca: 0.8, ...moved }, HEAD])
    expect(fired?.confianca).toBeCloseTo(0.8)
    expect(s.hold(100, person(bareHead))).toEqual([])
    expect(s.analysis.promising()).toEqual([])
  })

  it('states a cap or hat on a head without hard hat', () => {
    const cap: EpiEvidence = { ...bareHead, cap: 0.6 }
    expect(scene(config()).hold(5, person(cap))[0]?.detalhes).toEqual({ faltam: ['capacete'], cabeca: 'bone' })
    const mostlyBare = [...Array.from({ length: 4 }, () => bareHead), cap]
    const s = scene(config())
    const [fired] = mostlyBare.flatMap((evidence) => s.show(person(evidence)))
    expect(fired?.detalhes.cabeca).toBe('descoberta')
    expect(scene(config()).hold(30, person(noVest))[0]?.detalhes).toEqual({ faltam: ['colete'] })
  })

  it('counts inferences of the epi model, regardless of the frames between them', () => {
    const s = scene(config())
    const fired = Array.from({ length: 60 }, (_, i) => s.show(person(i % 10 === 0 ? noVest : null)))
    expect(fired.findIndex((one) => one.length > 0)).toBe(40)
    expect(missingIn(fired.flat())).toEqual([['colete']])
  })

  it('reports helmet and vest in one event, also when the vest is decided a little later', () => {
    const s = scene(config())
    const late = [...s.hold(2, person({ ...neither, noVest: 0 })), ...s.hold(20, person(neither))]
    expect(missingIn(late)).toEqual([['capacete', 'colete']])
    expect(late[0]).toMatchObject({ rotulos: ['no_hardhat', 'no_vest'], confianca: expect.closeTo(0.7) })
    expect(late[0]?.caixas).toHaveLength(3)
  })

  it.each([
    ['helmet and vest', equipped, {}, {}],
    ['no evidence of either: far away, the head hidden', nothing, {}, {}],
    ['no inference', null, {}, {}],
    ['a bare head, too little confidence', { ...bareHead, noHardhat: 0.49 }, {}, {}],
    ['helmet and bare head in each inference: two people in one box', { ...bareHead, hardhat: 0.75 }, {}, {}],
    ['never moved: a poster', bareHead, { motion: 0 }, {}],
    ['too small', bareHead, { box: { ...BOX, w: 0.01, h: 0.05 } }, {}],
    ['bare and covered in one inference, covered with more confidence', { ...bareHead, hardhat: 0.85 }, {}, {}],
    ['not a person', bareHead, { rotulo: 'dog' }, {}],
    ['only predicted', bareHead, { predicted: true }, {}],
    ['helmet not required', bareHead, {}, { exigir_capacete: false }],
    ['vest not required', noVest, {}, { exigir_colete: false }],
  ])('raises no event: %s', (_, evidence: EpiEvidence | null, rest: Partial<ObservedTrack>, limits) => {
    expect(scene(config(limits)).hold(100, person(evidence, rest))).toEqual([])
  })

  it('does not fire when some inferences miss the helmet', () => {
    const s = scene(config())
    const fired = Array.from({ length: 200 }, (_, i) => s.show(person(i % 3 === 0 ? bareHead : equipped)))
    expect(fired.flat()).toEqual([])
  })

  it('fires on a person with some false helmet detections', () => {
    const s = scene(config())
    const fired = Array.from({ length: 60 }, (_, i) =>
      s.show(person(i % 5 === 0 ? { ...equipped, hardhat: 0.4 } : bareHead)),
    )
    expect(missingIn(fired.flat())).toEqual([['capacete']])
  })

  it('counts only evidence from inside the zone: helmets may hang at the entrance', () => {
    const settings = config({}, { zonas: [[0.5, 0, 1, 0, 1, 1, 0.5, 1]] })
    const s = scene(settings)
    expect(s.hold(50, person(bareHead))).toEqual([])
    expect(s.analysis.promising()).toEqual([])
    expect(s.hold(50, person(equipped, { box: { ...BOX, x: 0.7 } }))).toEqual([])
    const other = scene(settings)
    other.hold(50, person(bareHead))
    const within = person(bareHead, { box: { ...BOX, x: 0.7 } })
    expect(other.hold(4, within)).toEqual([])
    expect(other.hold(20, within)).toHaveLength(1)
  })

  it('counts only recent evidence of this visit to the zone', () => {
    const s = scene(config())
    s.hold(4, person(bareHead))
    s.hold(160, person(null))
    expect(s.show(person(bareHead))).toEqual([])
    const within = { box: { ...BOX, x: 0.7 } }
    const zoned = scene(config({}, { zonas: [[0.5, 0, 1, 0, 1, 1, 0.5, 1]] }))
    zoned.hold(4, person(bareHead, within))
    zoned.hold(20, person(null))
    expect(zoned.show(person(bareHead, within))).toEqual([])
  })

  it('waits until the Agenda arms the IA', () => {
    const s = scene(config({}, { agenda: { inicio: 13, fim: 14, dias: [] } }))
    expect(s.hold(20, person(bareHead))).toEqual([])
    s.skip(3600)
    expect(s.hold(20, person(bareHead))).toHaveLength(1)
  })
})

describe('one event for each visit and missing item', () => {
  it('fires when a helmet is taken off later, with all items that are missing then', () => {
    const s = scene(config())
    expect(missingIn(s.hold(30, person(noVest)))).toEqual([['colete']])
    expect(missingIn(s.hold(30, person(neither)))).toEqual([['capacete', 'colete']])
    expect(s.hold(100, person(neither))).toEqual([])
  })

  it('fires again when a person puts the helmet on and takes it off again', () => {
    const s = scene(config())
    expect(s.hold(30, person(bareHead))).toHaveLength(1)
    expect(s.hold(30, person(equipped))).toEqual([])
    expect(missingIn(s.hold(30, person(bareHead)))).toEqual([['capacete']])
    expect(s.hold(100, person(bareHead))).toEqual([])
  })

  it('recognises a person after a lost track and after a restart', () => {
    const s = scene(config())
    expect(s.hold(20, person(bareHead))).toHaveLength(1)
    s.skip(4)
    expect(s.hold(20, person(bareHead, { id: 2, box: { ...BOX, x: 0.45 } }))).toEqual([])
    const saved = JSON.parse(JSON.stringify(s.analysis.state()))
    const next = scene(config(), saved, s.now() + 5_000, 3)
    expect(next.hold(20, person(bareHead, { id: 1, box: { ...BOX, x: 0.45 } }))).toEqual([])
    const stranger = person(bareHead, { id: 2, box: { ...BOX, x: 0.05, y: 0.1 } })
    expect(next.hold(20, stranger)).toHaveLength(1)
  })

  it('waits for the end of the cooldown', () => {
    const s = scene(config({ resfriamento_s: 60 }))
    const two = [person(bareHead), person(noVest, { id: 2, box: { ...BOX, x: 0.7 } })]
    expect(s.hold(290, ...two)).toHaveLength(1)
    expect(missingIn(s.hold(30, ...two))).toEqual([['colete']])
  })

  it.each([[null], [1], [{ v: 1 }], [{ v: 1, [ALERTED]: { capacete: [{}], colete: [7] }, firedAt: 'x' }]])(
    'ignores an unreadable state: %o',
    (state) => {
      expect(scene(config(), state).hold(10, person(bareHead))).toHaveLength(1)
    },
  )
})
