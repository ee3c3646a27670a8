import { fileURLToPath } from 'node:url'
import { createStreamReader, type VideoFrame } from '@vigia/video/stream-reader'
import { createDetector, type Detector } from '@vigia/vision/detector'
import { defaultDetectorId, modelManifest } from '@vigia/vision/registry'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnalysisStates, SeenEvent } from '../capture/protocol.ts'
import { task } from '../supervisor/testing/tasks.ts'
import { createCameraPipeline } from './camera-pipeline.ts'

/** The footage that comes with the recorder simulator: people cross a campus. */
const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-sub.mp4', import.meta.url))
const WATCH_MS = 8_000
const BEGINNING = Date.UTC(2026, 10, 9, 15)

let detector: Detector
beforeAll(async () => {
  detector = await createDetector(modelManifest(defaultDetectorId), { threads: 1 })
})
afterAll(() => detector.close())

interface Run {
  readonly events: { event: SeenEvent; state: unknown }[]
  readonly states: AnalysisStates
}

/** Plays the footage from `fromMs` to `toMs` through a fresh pipeline. */
async function play(watch: ReturnType<typeof task>, fromMs: number, toMs: number, states: AnalysisStates = {}) {
  const run: Run = { events: [], states: {} }
  const pipeline = createCameraPipeline({
    cameraId: 1,
    watch,
    states,
    detector: () => detector,
    onEvents: (events, state) => run.events.push(...events.map((event) => ({ event, state }))),
  })
  const stop = new AbortController()
  const onFrame = async (frame: VideoFrame) => {
    const { timestampMs } = frame
    if (timestampMs > toMs) stop.abort()
    else if (timestampMs >= fromMs) {
      await pipeline.frame(frame, { epochMs: BEGINNING + timestampMs, streamMs: timestampMs })
    }
  }
  await createStreamReader({ url: footage, maxFps: 5 }).run({ onInfo: () => {}, onFrame }, stop.signal)
  return { ...run, states: Object.fromEntries(pipeline.states().map(({ ia, state }) => [ia, state])) }
}

const jpegStart = Buffer.from([0xff, 0xd8, 0xff])

describe('createCameraPipeline', { timeout: 120_000 }, () => {
  it('makes one event of each person, with a crop and the frame that belong to its box', async () => {
    const { events } = await play(task(1, ''), 0, WATCH_MS)
    expect(events.length).toBeGreaterThanOrEqual(2)
    for (const { event } of events) {
      const { candidate, media } = event
      expect(candidate).toMatchObject({ camera_id: 1, ia: 'invasao', rotulos: ['person'], zona: null })
      expect(candidate.modelo).toBe(detector.id)
      expect(candidate.quadro).toEqual({ largura: 384, altura: 288 })
      expect(candidate.confianca).toBe(candidate.caixas[0]?.confianca)
      expect(candidate.ocorrido_em).toBeGreaterThan(BEGINNING)
      expect(media.map(({ papel }) => papel)).toEqual(['crop', 'quadro'])
      for (const { bytes } of media) expect(Buffer.from(bytes).subarray(0, 3).equals(jpegStart)).toBe(true)
    }
  })

  it('repeats nobody after a restart in the middle', async () => {
    const whole = await play(task(1, ''), 0, WATCH_MS)
    const before = await play(task(1, ''), 0, 4_000)
    const after = await play(task(1, ''), 4_200, WATCH_MS, JSON.parse(JSON.stringify(before.states)))
    const forgetful = await play(task(1, ''), 4_200, WATCH_MS)
    expect(before.events.length).toBeGreaterThan(0)
    expect(before.events.length + after.events.length).toBeLessThanOrEqual(whole.events.length)
    expect(after.events.length).toBeLessThan(forgetful.events.length)
  })

  it('sees nothing outside the zone, and asks no detector while the Agenda is closed', async () => {
    const sky = { ...task(1, ''), zonas: [[0, 0, 1, 0, 1, 0.02, 0, 0.02]] }
    expect((await play(sky, 0, 3_000)).events).toEqual([])
    const closed = task(1, '')
    const agenda = { inicio: 22, fim: 6, dias: [] }
    let asked = 0
    const real = detector
    detector = {
      ...real,
      detect: (packed, options) => {
        asked++
        return real.detect(packed, options)
      },
    }
    await play({ ...closed, analises: closed.analises.map((one) => ({ ...one, agenda })) }, 0, 2_000)
    detector = real
    expect(asked).toBe(0)
  })
})
