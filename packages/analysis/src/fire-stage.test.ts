import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import type { Detection } from '@vigia/ias/detection'
import type { ModelRunner, TarefaVisao } from '@vigia/vision/model-runner'
import { createTurns } from '@vigia/vision/turns'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AnalysisSettings } from './analyses.ts'
import { createCameraPipeline } from './camera-pipeline.ts'
import type { SeenEvent } from './model.ts'
import { openOwnRunner } from './testing/own-models.ts'
import { playFootage } from './testing/play-footage.ts'

/**
 * Footage of people who cross a campus. The model of this test labels people as fire, because the rate of inferences
 * does not depend on accuracy.
 */
const PLAYED_MS = 6_000

let runner: ModelRunner
beforeAll(async () => {
  runner = await openOwnRunner('fogo', { person: 'fire', bird: '' })
})
afterAll(() => runner.close())

const settingsWith = (agenda: AnalysisSettings['analises'][number]['agenda'] = null): AnalysisSettings => ({
  analises: [{ ia: 'fogo', calibracao: calibracaoPadrao.fogo, agenda }],
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
})

/** Times of the model's inferences, in stream ms. */
async function inferencesOf(settings: AnalysisSettings, sees: boolean | readonly Detection[]): Promise<number[]> {
  const asked: number[] = []
  let atMs = 0
  const watched: ModelRunner = {
    ...runner,
    async detect(...args) {
      asked.push(atMs)
      const found = await runner.detect(...args)
      return sees === true ? found : found.map(() => (sees ? [...sees] : []))
    },
  }
  const pipeline = createCameraPipeline({
    cameraId: 1,
    settings,
    states: {},
    runner: watched,
    turns: createTurns(),
    onEvents: () => {},
  })
  await playFootage(pipeline, { toMs: PLAYED_MS, beforeFrame: (ms) => (atMs = ms) })
  return asked
}

const gaps = (times: readonly number[]) => times.slice(1).map((at, i) => at - (times[i] ?? 0))

it('infers every two seconds without findings, regardless of motion, and more than twice a second with findings', {
  timeout: 120_000,
}, async () => {
  const quiet = await inferencesOf(settingsWith(), false)
  expect(Math.min(...gaps(quiet))).toBeGreaterThanOrEqual(1_900)
  expect(quiet.length).toBeGreaterThanOrEqual(3)
  const hot = await inferencesOf(settingsWith(), true)
  expect(Math.max(...gaps(hot))).toBeLessThanOrEqual(600)
  expect(Math.min(...gaps(hot))).toBeGreaterThanOrEqual(300)
})

it('infers no more often for weak smoke on a still wall', async () => {
  const wall = { rotulo: 'smoke', confianca: 0.4, x: 0.35, y: 0, w: 0.2, h: 0.15 }
  const settings = settingsWith()
  const smoke = { ia: 'fumaca', calibracao: calibracaoPadrao.fumaca, agenda: null } as const
  const times = await inferencesOf({ ...settings, analises: [...settings.analises, smoke] }, [wall])
  expect(Math.min(...gaps(times))).toBeGreaterThanOrEqual(1_900)
})

it('rejects fire inside the box of a person', async () => {
  const events = async (...ias: readonly NomeIa[]) => {
    const seen: SeenEvent[] = []
    // The model of this test labels people as fire. They do not flicker, so the threshold is very low.
    const limits = { conf: 0.14, resfriamento_s: 0 }
    const analises = ias.map((ia) => ({
      ia,
      calibracao: { ...calibracaoPadrao[ia], ...(ia === 'fogo' ? limits : {}) },
      agenda: null,
    }))
    const onEvents = (events: readonly SeenEvent[]) => void seen.push(...events)
    const settings = { ...settingsWith(), analises }
    const pipeline = createCameraPipeline({ cameraId: 1, settings, states: {}, runner, turns: createTurns(), onEvents })
    await playFootage(pipeline, { toMs: PLAYED_MS })
    return seen.filter(({ candidate }) => candidate.ia === 'fogo')
  }
  expect(await events('fogo')).not.toEqual([])
  expect(await events('fogo', 'invasao')).toEqual([])
})

it('runs no model while the Agenda is closed', async () => {
  expect(await inferencesOf(settingsWith({ inicio: 22, fim: 6, dias: [] }), true)).toEqual([])
})

/**
 * Plays the footage to a camera with people and fire, and waits for inferences only at the end. Returns the tasks of
 * the inferences.
 */
async function bothAsked(toMs: number, objetos: ModelRunner['detect'], played: () => void): Promise<TarefaVisao[]> {
  const asked: TarefaVisao[] = []
  const detect: ModelRunner['detect'] = (tarefa, ...rest) => {
    asked.push(tarefa)
    return (tarefa === 'objetos' ? objetos : runner.detect)(tarefa, ...rest)
  }
  const people = { ia: 'invasao', calibracao: calibracaoPadrao.invasao, agenda: null } as const
  const pipeline = createCameraPipeline({
    cameraId: 1,
    settings: { ...settingsWith(), analises: [people, ...settingsWith().analises] },
    states: {},
    runner: { ...runner, detect },
    turns: createTurns(),
    onEvents: () => {},
  })
  await playFootage(pipeline, { toMs, afterFrame: async () => {} })
  played()
  await pipeline.idle().catch(() => {})
  return asked
}

it('runs once per frame when the previous inference of that frame is slow', async () => {
  const busy = Promise.withResolvers<void>()
  const slow: ModelRunner['detect'] = async (...args) => {
    await busy.promise
    return runner.detect(...args)
  }
  const asked = await bothAsked(1_600, slow, busy.resolve)
  expect(asked.filter((tarefa) => tarefa === 'fogo')).toHaveLength(1)
})

it('runs when the previous model fails at the same frame', async () => {
  const asked = await bothAsked(
    0,
    () => Promise.reject(new Error('this model fails')),
    () => {},
  )
  expect(asked).toEqual(['objetos', 'fogo'])
})
