import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import { mergeCalibration } from '@vigia/ias/calibration'
import { joinOccasions, type StoredDiscard, type StoredEvent } from '@vigia/ias/replay/join'
import { replay } from '@vigia/ias/replay/replay'
import type { Settings } from '@vigia/ias/replay/settings'
import type { ModelRunner } from '@vigia/vision/model-runner'
import { createTurns } from '@vigia/vision/turns'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnalysisSettings } from './analyses.ts'
import { createCameraPipeline } from './camera-pipeline.ts'
import type { SeenDiscard, SeenEvent } from './model.ts'
import { openModelRunner, rememberDetections } from './testing/open-model-runner.ts'
import { BEGINNING, playFootage } from './testing/play-footage.ts'

const PLAYED_MS = 10_000
const IA = 'invasao'
const LINE: NomeIa = 'cruzamento_linha'
const LINHA = [[0.1, 0.6, 0.9, 0.6]]
const FUSO = 'America/Sao_Paulo'

interface Limits {
  readonly conf?: number
  readonly resfriamento_s?: number
  readonly agenda?: AnalysisSettings['analises'][number]['agenda']
}

interface Run {
  readonly events: readonly SeenEvent['candidate'][]
  readonly discards: readonly SeenDiscard[]
}

const valuesOf = (ia: NomeIa, { conf, resfriamento_s = 0 }: Limits) => ({
  ...calibracaoPadrao[ia],
  resfriamento_s,
  ...(conf !== undefined && { conf }),
})

/** Same settings for the pipeline and for the replay. */
const pipelineSettings = (limits: Limits): AnalysisSettings => ({
  analises: [IA, LINE].map((ia) => ({
    ia: ia as NomeIa,
    calibracao: valuesOf(ia as NomeIa, limits),
    agenda: limits.agenda ?? null,
  })),
  zonas: [],
  linha: LINHA,
  fusoHorario: FUSO,
})
const replaySettings = (limits: Limits): Settings => ({
  ias: [IA, LINE],
  calibracao: mergeCalibration({ [IA]: valuesOf(IA, limits), [LINE]: valuesOf(LINE, limits) }),
  agenda: limits.agenda ? { [IA]: limits.agenda, [LINE]: limits.agenda } : {},
  zonas: [],
  linha: LINHA,
  fusoHorario: FUSO,
})

let runner: ModelRunner
beforeAll(async () => {
  runner = rememberDetections(await openModelRunner(['objetos']))
})
afterAll(() => runner.close())

async function play(limits: Limits): Promise<Run> {
  const events: SeenEvent['candidate'][] = []
  const discards: SeenDiscard[] = []
  const pipeline = createCameraPipeline({
    cameraId: 1,
    settings: pipelineSettings(limits),
    states: {},
    runner,
    turns: createTurns(),
    onEvents: (seen) => events.push(...seen.map(({ candidate }) => candidate)),
    onDiscard: (discard) => discards.push(discard),
  })
  await playFootage(pipeline, { toMs: PLAYED_MS })
  await pipeline.idle()
  await pipeline.close()
  return { events, discards }
}

/** IA, track and time of each event. Track names differ between runs only before the last hyphen. */
const named = (ia: string, trilha: string | undefined, epochMs: number) =>
  `${ia} ${trilha?.split('-').at(-1)} ${epochMs - BEGINNING}`
const eventsOf = ({ events }: Run) =>
  events.map(({ ia, trilha, ocorrido_em }) => named(ia, trilha, ocorrido_em)).toSorted()

function replayed(run: Run, before: Limits, after: Limits) {
  const events = run.events.map(
    ({ ia, trilha, ocorrido_em, detalhes: { trajeto = [], ...detalhes }, ...rest }, n): StoredEvent => ({
      ...rest,
      key: `evento ${n}`,
      ia,
      epochMs: ocorrido_em,
      trajeto,
      detalhes,
      trilha: trilha ?? null,
    }),
  )
  const discards = run.discards.map(
    ({ ocorrido_em, disparou_ms, ...rest }, n): StoredDiscard => ({
      ...rest,
      key: `descartado ${n}`,
      epochMs: ocorrido_em,
      disparouMs: disparou_ms,
    }),
  )
  const tracks = new Map<string, string | undefined>([
    ...run.events.map(({ trilha }, n): [string, string | undefined] => [`evento ${n}`, trilha]),
    ...run.discards.map(({ trilha }, n): [string, string] => [`descartado ${n}`, trilha]),
  ])
  const outcomes = replay({
    occasions: joinOccasions(events, discards),
    before: replaySettings(before),
    after: replaySettings(after),
    lastFiredAt: {},
  })
  const fires = outcomes.flatMap(({ occasion, firesAt }) =>
    firesAt === null ? [] : [named(occasion.ia, tracks.get(occasion.key), firesAt)],
  )
  return { fires: fires.toSorted(), outcomes }
}

describe('the replay of a recorded run', { timeout: 500_000 }, () => {
  let base: Run
  beforeAll(async () => {
    base = await play({})
  }, 500_000)

  it('with the same calibration gives exactly its events', () => {
    expect(base.events.length).toBeGreaterThan(1)
    const { fires, outcomes } = replayed(base, {}, {})
    expect(fires).toEqual(eventsOf(base))
    expect(outcomes.filter(({ occasion }) => occasion.fired && occasion.marks === null)).toEqual([])
  })

  const agenda = { inicio: 3, fim: 4, dias: [] }
  it.each<[string, Limits]>([
    ['a higher conf', { conf: 0.55 }],
    ['a cooldown', { resfriamento_s: 5 }],
    ['a higher conf and a cooldown', { conf: 0.6, resfriamento_s: 4 }],
    ['a closed Agenda', { agenda }],
  ])('with %s gives exactly the events of the pipeline with it', async (_what, after) => {
    const expected = eventsOf(await play(after))
    expect(replayed(base, {}, after).fires).toEqual(expected)
  })
})
