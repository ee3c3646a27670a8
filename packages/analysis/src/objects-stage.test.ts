import { calibracaoPadrao } from '@vigia/contracts/ias'
import type { ModelRunner, TarefaVisao } from '@vigia/vision/model-runner'
import { createMotionGate } from '@vigia/vision/motion'
import { createTurns } from '@vigia/vision/turns'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AnalysisSettings } from './analyses.ts'
import { type CameraPipeline, createCameraPipeline } from './camera-pipeline.ts'
import { createObjectsStage } from './objects-stage.ts'
import { openOwnRunner } from './testing/own-models.ts'
import { playFootage } from './testing/play-footage.ts'

/**
 * Footage of people who cross a campus, large enough for inferences on single people. The findings of the epi model of
 * this test do not matter.
 */
const PLAYED_MS = 3_000

let runner: ModelRunner
beforeAll(async () => {
  runner = await openOwnRunner('epi', { person: 'no_hardhat', bird: 'hardhat' })
})
afterAll(() => runner.close())

const settingsWith = (agenda: AnalysisSettings['analises'][number]['agenda'] = null): AnalysisSettings => ({
  analises: [
    { ia: 'invasao', calibracao: calibracaoPadrao.invasao, agenda: null },
    { ia: 'epi', calibracao: calibracaoPadrao.epi, agenda },
  ],
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
})

/** Inferences of each model: time in stream ms, and number of pictures. */
async function inferencesOf(settings: AnalysisSettings) {
  const asked: { tarefa: TarefaVisao; atMs: number; pictures: number }[] = []
  let atMs = 0
  const watched: ModelRunner = {
    ...runner,
    detect(tarefa, pictures, options) {
      asked.push({ tarefa, atMs, pictures: pictures.length })
      return runner.detect(tarefa, pictures, options)
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
  await playFootage(pipeline, { stream: 'principal', toMs: PLAYED_MS, beforeFrame: (ms) => (atMs = ms) })
  return (tarefa: TarefaVisao) => asked.filter((one) => one.tarefa === tarefa)
}

it('inspects worn items at intervals, with a few people at a time', async () => {
  const of = await inferencesOf(settingsWith())
  const times = of('epi').map(({ atMs }) => atMs)
  expect(times.length).toBeGreaterThanOrEqual(3)
  expect(Math.min(...times.slice(1).map((at, i) => at - (times[i] ?? 0)))).toBeGreaterThanOrEqual(390)
  for (const { pictures } of [...of('epi'), ...of('objetos')]) expect(pictures).toBeLessThanOrEqual(3)
  expect(of('objetos').length).toBeGreaterThan(times.length)
})

it('does not run the epi model while only other IAs are armed', async () => {
  const of = await inferencesOf(settingsWith({ inicio: 22, fim: 6, dias: [] }))
  expect(of('objetos').length).toBeGreaterThan(5)
  expect(of('epi')).toEqual([])
})

it('returns boxes of people only shortly after an inference', async () => {
  const objects = createObjectsStage({ cameraId: 1, settings: settingsWith(), states: {}, runner, onEvents: () => {} })
  const motion = createMotionGate().update(new Uint8Array(160 * 120), 160, 120, 0)
  let lastMs = 0
  const looking: Pick<CameraPipeline, 'frame' | 'idle'> = {
    async frame(frame, time) {
      await objects.run({ frame, time, motion }, 0)
      lastMs = time.streamMs
    },
    idle: async () => {},
  }
  await playFootage(looking, { stream: 'principal', toMs: 1_000 })
  expect(objects.people(lastMs)).not.toEqual([])
  expect(objects.people(lastMs + 3_001)).toEqual([])
  const seen = objects.seen(lastMs)
  expect(seen.some(({ rotulo }) => rotulo === 'person')).toBe(true)
  for (const { x, y, w, h } of seen) {
    expect(Math.min(x, y, w, h, 1 - x - w + 1e-9, 1 - y - h + 1e-9)).toBeGreaterThanOrEqual(0)
  }
  expect(seen.map(({ w, h }) => w * h)).toEqual(seen.map(({ w, h }) => w * h).sort((a, b) => b - a))
  expect(objects.seen(lastMs + 3_001)).toEqual([])
})
