import { rm } from 'node:fs/promises'
import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import type { Sight, TarefaVisao } from '@vigia/vision/sight'
import { createTurns } from '@vigia/vision/turns'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Watch } from './analyses.ts'
import { createCameraPipeline } from './camera-pipeline.ts'
import type { SeenEvent } from './model.ts'
import { openSight } from './testing/open-sight.ts'
import { ownModel } from './testing/own-models.ts'
import { playFootage } from './testing/play-footage.ts'

/** People cross a campus. To the model of this test, people are fire: how often it is asked does not depend on how well it sees. */
const WATCH_MS = 6_000

let folder: string
let sight: Sight
beforeAll(async () => {
  folder = await ownModel('fogo', { person: 'fire', bird: '' })
  sight = await openSight(['fogo', 'objetos'], folder)
})
afterAll(async () => {
  await sight.close()
  await rm(folder, { recursive: true, force: true })
})

const watching = (agenda: Watch['analises'][number]['agenda'] = null): Watch => ({
  analises: [{ ia: 'fogo', calibracao: calibracaoPadrao.fogo, agenda }],
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
})

/** When the model was asked, stream ms. */
async function looksAt(watch: Watch, sees: boolean): Promise<number[]> {
  const asked: number[] = []
  let atMs = 0
  const watched: Sight = {
    ...sight,
    async detect(...args) {
      asked.push(atMs)
      const found = await sight.detect(...args)
      return sees ? found : found.map(() => [])
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
  await playFootage(pipeline, { toMs: WATCH_MS, beforeFrame: (ms) => (atMs = ms) })
  return asked
}

const gaps = (times: readonly number[]) => times.slice(1).map((at, i) => at - (times[i] ?? 0))

it('looks every two seconds when nothing is to be seen, whatever moves, and more than twice a second when something is', {
  timeout: 120_000,
}, async () => {
  const quiet = await looksAt(watching(), false)
  expect(Math.min(...gaps(quiet))).toBeGreaterThanOrEqual(1_900)
  expect(quiet.length).toBeGreaterThanOrEqual(3)
  const hot = await looksAt(watching(), true)
  expect(Math.max(...gaps(hot))).toBeLessThanOrEqual(600)
  expect(Math.min(...gaps(hot))).toBeGreaterThanOrEqual(300)
})

it('does not take for fire what lies within a person who is seen', { timeout: 120_000 }, async () => {
  const events = async (...ias: readonly NomeIa[]) => {
    const seen: SeenEvent[] = []
    // To the model of this test, people are fire; nothing flickers, so that next to nothing is asked of it.
    const limits = { conf: 0.14, resfriamento_s: 0 }
    const analises = ias.map((ia) => ({
      ia,
      calibracao: { ...calibracaoPadrao[ia], ...(ia === 'fogo' ? limits : {}) },
      agenda: null,
    }))
    const onEvents = (events: readonly SeenEvent[]) => void seen.push(...events)
    const watch = { ...watching(), analises }
    const pipeline = createCameraPipeline({ cameraId: 1, watch, states: {}, sight, turns: createTurns(), onEvents })
    await playFootage(pipeline, { toMs: WATCH_MS })
    return seen.filter(({ candidate }) => candidate.ia === 'fogo')
  }
  expect(await events('fogo')).not.toEqual([])
  expect(await events('fogo', 'invasao')).toEqual([])
})

it('asks no model while the Agenda is closed', { timeout: 60_000 }, async () => {
  expect(await looksAt(watching({ inicio: 22, fim: 6, dias: [] }), true)).toEqual([])
})

/** Plays the footage to a camera that is watched for people and fire, without waiting for looks until the end. The models that were asked. */
async function bothAsked(toMs: number, objetos: Sight['detect'], played: () => void): Promise<TarefaVisao[]> {
  const asked: TarefaVisao[] = []
  const detect: Sight['detect'] = (tarefa, ...rest) => {
    asked.push(tarefa)
    return (tarefa === 'objetos' ? objetos : sight.detect)(tarefa, ...rest)
  }
  const people = { ia: 'invasao', calibracao: calibracaoPadrao.invasao, agenda: null } as const
  const pipeline = createCameraPipeline({
    cameraId: 1,
    watch: { ...watching(), analises: [people, ...watching().analises] },
    states: {},
    sight: { ...sight, detect },
    turns: createTurns(),
    onEvents: () => {},
  })
  await playFootage(pipeline, { toMs, afterFrame: async () => {} })
  played()
  await pipeline.idle().catch(() => {})
  return asked
}

it('is not asked twice because the look before it at the same frame takes long', { timeout: 60_000 }, async () => {
  const busy = Promise.withResolvers<void>()
  const slow: Sight['detect'] = async (...args) => {
    await busy.promise
    return sight.detect(...args)
  }
  const asked = await bothAsked(1_600, slow, busy.resolve)
  expect(asked.filter((tarefa) => tarefa === 'fogo')).toHaveLength(1)
})

it('is asked although the model before it fails at the frame', { timeout: 60_000 }, async () => {
  const asked = await bothAsked(
    0,
    () => Promise.reject(new Error('this model fails')),
    () => {},
  )
  expect(asked).toEqual(['objetos', 'fogo'])
})
