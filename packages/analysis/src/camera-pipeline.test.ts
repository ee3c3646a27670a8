import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import type { ModelRunner } from '@vigia/vision/model-runner'
import { createTurns } from '@vigia/vision/turns'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnalysisSettings } from './analyses.ts'
import { type CameraPipeline, createCameraPipeline } from './camera-pipeline.ts'
import type { AnalysisStates, SeenEvent } from './model.ts'
import { openModelRunner, rememberDetections } from './testing/open-model-runner.ts'
import { BEGINNING, type Playback, playFootage } from './testing/play-footage.ts'
import { task } from './testing/tasks.ts'

const PLAYED_MS = 6_000

let runner: ModelRunner
/** Number of model runs. */
let asked = 0
beforeAll(async () => {
  const real = rememberDetections(await openModelRunner(['objetos']))
  runner = {
    ...real,
    detect(...args) {
      asked++
      return real.detect(...args)
    },
  }
})
afterAll(() => runner.close())

interface Run {
  readonly events: { event: SeenEvent; state: unknown }[]
  readonly states: AnalysisStates
}

interface Play extends Pick<Playback, 'stream' | 'fromMs'> {
  readonly toMs?: number
  readonly states?: AnalysisStates
  readonly turns?: ReturnType<typeof createTurns>
  /** Before each frame. */
  beforeFrame?(pipeline: CameraPipeline, atMs: number, run: Run): void
  /** Called after the gate has processed the frame. The default waits for the end of the frame's inference. */
  afterFrame?(pipeline: CameraPipeline, atMs: number): Promise<void>
}

const savedStates = (pipeline: CameraPipeline) =>
  Object.fromEntries(pipeline.states().map(({ ia, state }) => [ia, state])) as AnalysisStates

/** Plays the footage through a new pipeline. */
async function play(settings: AnalysisSettings, options: Play = {}): Promise<Run> {
  const {
    toMs = PLAYED_MS,
    states = {},
    turns = createTurns(),
    beforeFrame,
    afterFrame = ({ idle }) => idle(),
    ...part
  } = options
  const run: Run = { events: [], states: {} }
  const pipeline = createCameraPipeline({
    cameraId: 1,
    settings,
    states,
    runner,
    turns,
    onEvents: (events, state) => run.events.push(...events.map((event) => ({ event, state }))),
  })
  await playFootage(pipeline, {
    ...part,
    toMs,
    beforeFrame: (atMs) => beforeFrame?.(pipeline, atMs, run),
    afterFrame: (atMs) => afterFrame(pipeline, atMs),
  })
  await pipeline.idle()
  return { ...run, states: savedStates(pipeline) }
}

/** Settings with these IAs, default thresholds and no cooldown. */
const settingsWith = (...ias: readonly NomeIa[]): AnalysisSettings => ({
  ...task(1, ''),
  analises: ias.map((ia) => ({ ia, calibracao: { ...calibracaoPadrao[ia], resfriamento_s: 0 }, agenda: null })),
})

const jpegStart = Buffer.from([0xff, 0xd8, 0xff])
const timesOf = ({ events }: Run, ia: NomeIa = 'invasao') =>
  events.filter(({ event }) => event.candidate.ia === ia).map(({ event }) => event.candidate.ocorrido_em - BEGINNING)

describe('createCameraPipeline', () => {
  let whole: Run
  it('raises one event per person, with the crop and the frame of its box, and the trail', async () => {
    whole = await play(task(1, ''))
    const { events } = whole
    expect(events.length).toBeGreaterThanOrEqual(2)
    for (const { event } of events) {
      const { candidate, media } = event
      expect(candidate).toMatchObject({ camera_id: 1, ia: 'invasao', rotulos: ['person'], zona: null })
      expect(candidate.modelo).toBe(runner.model('objetos')?.id)
      expect(candidate.quadro).toEqual({ largura: 384, altura: 288 })
      // The confidence of the best picture, or of the frame that fired if that is higher.
      expect(candidate.confianca).toBeGreaterThanOrEqual(candidate.caixas[0]?.confianca ?? 1)
      expect(candidate.ocorrido_em).toBeGreaterThan(BEGINNING)
      expect(media.map(({ papel }) => papel)).toEqual(['crop', 'quadro'])
      for (const { bytes } of media) expect(Buffer.from(bytes).subarray(0, 3).equals(jpegStart)).toBe(true)
      const { trajeto = [] } = candidate.detalhes
      expect(trajeto.length).toBeGreaterThanOrEqual(3)
      expect(trajeto.at(-1)?.ms).toBe(0)
      const times = trajeto.map(({ ms }) => ms)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(times[0]).toBeLessThan(0)
    }
  })

  it('raises no second event for a person after a restart', async () => {
    const before = await play(task(1, ''), { toMs: 3_000 })
    const after = await play(task(1, ''), { fromMs: 3_200, states: JSON.parse(JSON.stringify(before.states)) })
    const forgetful = await play(task(1, ''), { fromMs: 3_200 })
    expect(before.events.length).toBeGreaterThan(0)
    expect(before.events.length + after.events.length).toBeLessThanOrEqual(whole.events.length)
    expect(after.events.length).toBeLessThan(forgetful.events.length)
  })

  it('recognises a person who walked among others during a restart', async () => {
    // Two people side by side on this path, found as one until they part in the zone at 15 s. Then the second one is
    // new. They enter at the lower right at 12.6 s and leave at the upper edge at 22 s.
    const lawn = [
      [0.6, 0.88, 1, 0.88, 1, 1, 0.6, 1],
      [0.2, 0.75, 0.62, 0.75, 0.62, 0.88, 0.2, 0.88],
    ]
    const settings = { ...settingsWith('invasao'), zonas: lawn }
    const stream = 'principal'
    const { events } = await play(settings, { stream, fromMs: 10_000, toMs: 13_400 })
    expect(events).toHaveLength(1)
    const states = () => JSON.parse(JSON.stringify({ invasao: events[0]?.state }))
    const firedMs = (events[0]?.event.candidate.ocorrido_em ?? 0) - BEGINNING
    for (const gapMs of [3_000, 4_500]) {
      const after = await play(settings, { stream, fromMs: firedMs + gapMs, toMs: 19_000, states: states() })
      expect(timesOf(after), `${gapMs} ms`).toEqual([])
    }
    const stranger = await play(settings, { stream, fromMs: firedMs + 3_000, toMs: 19_000 })
    expect(timesOf(stranger)).toHaveLength(1)
  })

  it('raises no event outside the zone; runs no model but sees motion while the Agenda is closed', async () => {
    const sky = { ...task(1, ''), zonas: [[0, 0, 1, 0, 1, 0.02, 0, 0.02]] }
    expect((await play(sky, { toMs: 3_000 })).events).toEqual([])
    const closed = task(1, '')
    const agenda = { inicio: 22, fim: 6, dias: [] }
    asked = 0
    const moving = new Set<boolean>()
    await play(
      { ...closed, analises: closed.analises.map((one) => ({ ...one, agenda })) },
      {
        toMs: 2_000,
        afterFrame: async (pipeline) => void moving.add(pipeline.moving()),
      },
    )
    expect(asked).toBe(0)
    expect(moving).toContain(true)
  })

  it('runs the gate on every frame while the models are busy, then infers only the newest frame', async () => {
    const turns = createTurns()
    const busy = Promise.withResolvers<void>()
    const elsewhere = turns.take(99, () => busy.promise)
    asked = 0
    let seen = { frames: 0, inferences: 0, replaced: 0 }
    const run = await play(task(1, ''), {
      turns,
      toMs: 3_000,
      async afterFrame(pipeline, atMs) {
        expect(turns.waiting()).toBeLessThanOrEqual(1)
        if (atMs < 2_900) return
        expect(asked).toBe(0)
        busy.resolve()
        await elsewhere
        await pipeline.idle()
        const more = pipeline.takeCounts()
        seen = {
          frames: seen.frames + more.frames,
          inferences: seen.inferences + more.inferences,
          replaced: seen.replaced + more.replaced,
        }
      },
    })
    expect(seen.frames).toBeGreaterThanOrEqual(14)
    // All frames were replaced by newer ones, except those after the models were free again.
    expect(seen.inferences).toBe(asked)
    expect(seen.inferences + seen.replaced).toBe(seen.frames)
    expect(seen.inferences).toBeLessThanOrEqual(2)
    expect(run.events).toEqual([])
  })

  it('reports a failed inference at the next frame', async () => {
    const real = runner
    runner = { ...real, detect: () => Promise.reject(new Error('the models failed')) }
    await expect(play(task(1, ''), { toMs: 1_000 })).rejects.toThrow('the models failed')
    runner = real
  })
})

describe('a change of the calibration while people are in view', () => {
  const CHANGE_MS = 2_500
  const CHANGED_MS = 4_500
  const changed = (next: AnalysisSettings) => {
    let done = false
    return (pipeline: CameraPipeline, atMs: number) => {
      if (done || atMs < CHANGE_MS) return
      done = true
      pipeline.configure(next, {})
    }
  }
  const withLimits = (settings: AnalysisSettings, ia: NomeIa, limits: Record<string, number>): AnalysisSettings => ({
    ...settings,
    analises: settings.analises.map((one) =>
      one.ia === ia ? { ...one, calibracao: { ...one.calibracao, ...limits } } : one,
    ),
  })

  it('that concerns another IA or its line has no effect', async () => {
    const both = settingsWith('invasao', 'permanencia')
    const undisturbed = await play(both, { toMs: CHANGED_MS })
    const next = withLimits({ ...both, linha: [[0, 0.5, 1, 0.5]] }, 'permanencia', { permanencia_s: 3 })
    const disturbed = await play(both, { toMs: CHANGED_MS, beforeFrame: changed(next) })
    expect(timesOf(disturbed)).toEqual(timesOf(undisturbed))
    expect(disturbed.states.invasao).toEqual(undisturbed.states.invasao)
    expect(timesOf(undisturbed, 'permanencia')).toEqual([])
  })

  it('applies from the next frame on and keeps the tracks', async () => {
    const strict = withLimits(settingsWith('invasao'), 'invasao', { conf: 0.99 })
    const later = await play(strict, { toMs: CHANGED_MS, beforeFrame: changed(settingsWith('invasao')) })
    const [first] = timesOf(later)
    // The people in view already have tracks, so none has to be detected again.
    expect(first).toBeGreaterThanOrEqual(CHANGE_MS)
    expect(first).toBeLessThanOrEqual(CHANGE_MS + 1_000)
  })

  it('starts an added IA and stops a removed one', async () => {
    const added = await play(settingsWith('permanencia'), {
      toMs: CHANGED_MS,
      beforeFrame: changed(settingsWith('permanencia', 'invasao')),
    })
    expect(timesOf(added)[0]).toBeGreaterThanOrEqual(CHANGE_MS)
    const removed = await play(settingsWith('invasao'), {
      toMs: CHANGED_MS,
      beforeFrame: changed(settingsWith('permanencia')),
    })
    const times = timesOf(removed)
    expect(times.length).toBeGreaterThan(0)
    expect(Math.max(...times)).toBeLessThan(CHANGE_MS)
  })
})
