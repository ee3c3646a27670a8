import { rm } from 'node:fs/promises'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { createMotionGate } from '@vigia/vision/motion'
import type { Sight, TarefaVisao } from '@vigia/vision/sight'
import { createTurns } from '@vigia/vision/turns'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Watch } from './analyses.ts'
import { type CameraPipeline, createCameraPipeline } from './camera-pipeline.ts'
import { createObjectsWatch } from './objects-watch.ts'
import { openSight } from './testing/open-sight.ts'
import { ownModel } from './testing/own-models.ts'
import { playFootage } from './testing/play-footage.ts'

/** People cross a campus, near enough to be looked at closely. What the epi model of this test sees on them does not matter here. */
const WATCH_MS = 3_000

let folder: string
let sight: Sight
beforeAll(async () => {
  folder = await ownModel('epi', { person: 'no_hardhat', bird: 'hardhat' })
  sight = await openSight(['objetos', 'epi'], folder)
}, 60_000)
afterAll(async () => {
  await sight.close()
  await rm(folder, { recursive: true, force: true })
})

const watching = (agenda: Watch['analises'][number]['agenda'] = null): Watch => ({
  analises: [
    { ia: 'invasao', calibracao: calibracaoPadrao.invasao, agenda: null },
    { ia: 'epi', calibracao: calibracaoPadrao.epi, agenda },
  ],
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
})

/** When each model was asked, stream ms, and with how many pictures. */
async function looksAt(watch: Watch) {
  const asked: { tarefa: TarefaVisao; atMs: number; pictures: number }[] = []
  let atMs = 0
  const watched: Sight = {
    ...sight,
    detect(tarefa, pictures, options) {
      asked.push({ tarefa, atMs, pictures: pictures.length })
      return sight.detect(tarefa, pictures, options)
    },
  }
  const pipeline = createCameraPipeline({
    cameraId: 1,
    watch,
    states: {},
    sight: watched,
    turns: createTurns(),
    onEvents: () => {},
  })
  await playFootage(pipeline, { stream: 'principal', toMs: WATCH_MS, beforeFrame: (ms) => (atMs = ms) })
  return (tarefa: TarefaVisao) => asked.filter((one) => one.tarefa === tarefa)
}

it('looks closely at what people wear, now and then and at a few at a time', { timeout: 120_000 }, async () => {
  const of = await looksAt(watching())
  const times = of('epi').map(({ atMs }) => atMs)
  expect(times.length).toBeGreaterThanOrEqual(3)
  expect(Math.min(...times.slice(1).map((at, i) => at - (times[i] ?? 0)))).toBeGreaterThanOrEqual(390)
  for (const { pictures } of [...of('epi'), ...of('objetos')]) expect(pictures).toBeLessThanOrEqual(3)
  expect(of('objetos').length).toBeGreaterThan(times.length)
})

it('does not while only others are armed', { timeout: 120_000 }, async () => {
  const of = await looksAt(watching({ inicio: 22, fim: 6, dias: [] }))
  expect(of('objetos').length).toBeGreaterThan(5)
  expect(of('epi')).toEqual([])
})

it('knows where people are for as long as it looks', { timeout: 60_000 }, async () => {
  const objects = createObjectsWatch({ cameraId: 1, watch: watching(), states: {}, sight, onEvents: () => {} })
  const motion = createMotionGate().update(new Uint8Array(160 * 120), 160, 120, 0)
  let lastMs = 0
  const looking: Pick<CameraPipeline, 'frame' | 'idle'> = {
    async frame(frame, time) {
      await objects.look({ frame, time, motion }, 0)
      lastMs = time.streamMs
    },
    idle: async () => {},
  }
  await playFootage(looking, { stream: 'principal', toMs: 1_000 })
  expect(objects.people(lastMs)).not.toEqual([])
  expect(objects.people(lastMs + 3_001)).toEqual([])
})
