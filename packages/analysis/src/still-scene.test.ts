import { calibracaoPadrao, catalogoIas, type NomeIa } from '@vigia/contracts/ias'
import type { HeldFrame, VideoFrame } from '@vigia/video/frame'
import type { ModelRunner, TarefaVisao } from '@vigia/vision/model-runner'
import { createTurns } from '@vigia/vision/turns'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CameraPipeline, createCameraPipeline } from './camera-pipeline.ts'
import type { SeenEvent } from './model.ts'
import { openModelRunner } from './testing/open-model-runner.ts'
import { BEGINNING, playFootage } from './testing/play-footage.ts'

/** People walk for this time, then the picture stands still. */
const WALKED_MS = 4_000
/** Time after which a picture that stands still needs no inference. */
const SETTLED_MS = WALKED_MS + 20_000
const FROZEN_MS = 600_000

let runner: ModelRunner
beforeAll(async () => {
  runner = await openModelRunner(['objetos', 'epi', 'fogo'])
})
afterAll(() => runner.close())

/** The same picture with other noise of the sensor each time: uniform, up to 4 grey levels. */
function withNoise(frame: VideoFrame, timestampMs: number): VideoFrame {
  let seed = timestampMs + 1
  const add = (pixels: Buffer) => {
    for (let at = 0; at < pixels.length; at++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      pixels[at] = Math.min(255, Math.max(0, (pixels[at] ?? 0) + ((seed >>> 24) % 9) - 4))
    }
    return pixels
  }
  const noisy: VideoFrame = {
    ...frame,
    timestampMs,
    toPacked: async (...wanted) => add(await frame.toPacked(...wanted)),
    retain: () => ({ frame: noisy, release: async () => {} }),
  }
  return noisy
}

it('keeps people who stand still for ten minutes, with one inference a minute and model', {
  timeout: 300_000,
}, async () => {
  const asked: { tarefa: TarefaVisao; atMs: number }[] = []
  let atMs = 0
  const watched: ModelRunner = {
    ...runner,
    detect(tarefa, ...rest) {
      asked.push({ tarefa, atMs })
      return runner.detect(tarefa, ...rest)
    },
  }
  const ias = Object.keys(catalogoIas) as NomeIa[]
  const events: SeenEvent[] = []
  const pipeline = createCameraPipeline({
    cameraId: 1,
    settings: {
      analises: ias.map((ia) => ({ ia, calibracao: calibracaoPadrao[ia], agenda: null })),
      zonas: [],
      linha: [[0.1, 0.6, 0.9, 0.6]],
      fusoHorario: 'America/Sao_Paulo',
    },
    states: {},
    runner: watched,
    turns: createTurns(),
    onEvents: (seen) => void events.push(...seen),
  })
  let last: HeldFrame | null = null
  const keeping: Pick<CameraPipeline, 'frame' | 'idle'> = {
    async frame(frame, time) {
      await last?.release()
      last = frame.retain()
      atMs = time.streamMs
      await pipeline.frame(frame, time)
    },
    idle: pipeline.idle,
  }
  await playFootage(keeping, { toMs: WALKED_MS })
  const held = last as HeldFrame | null
  if (!held) throw new Error('the footage has no frame')

  const people = () => pipeline.seen(atMs).filter(({ rotulo }) => rotulo === 'person').length
  const beside: number[] = []
  for (atMs = WALKED_MS + 1_000; atMs < WALKED_MS + FROZEN_MS; atMs += 2_000) {
    await pipeline.frame(withNoise(held.frame, atMs), { epochMs: BEGINNING + atMs, streamMs: atMs })
    await pipeline.idle()
    if (atMs >= SETTLED_MS) beside.push(people())
  }
  await held.release()
  await pipeline.close()

  for (const tarefa of ['objetos', 'epi', 'fogo'] as const) {
    const still = asked.filter((one) => one.tarefa === tarefa && one.atMs >= SETTLED_MS)
    const times = still.map((one) => one.atMs)
    expect(times.length, `${tarefa} at ${times.slice(0, 20)}`).toBeLessThanOrEqual(FROZEN_MS / 60_000)
  }
  expect(asked.filter(({ tarefa, atMs }) => tarefa === 'objetos' && atMs >= SETTLED_MS).length).toBeGreaterThan(7)
  expect(Math.min(...beside)).toBeGreaterThanOrEqual(2)
  expect(Math.min(...beside)).toBe(Math.max(...beside))
  const times = (ia: NomeIa) =>
    events.filter(({ candidate }) => candidate.ia === ia).map(({ candidate }) => candidate.ocorrido_em - BEGINNING)
  expect(Math.max(...times('invasao'))).toBeLessThan(SETTLED_MS)
  expect(times('permanencia').filter((ms) => ms >= SETTLED_MS).length).toBeGreaterThan(0)
})
