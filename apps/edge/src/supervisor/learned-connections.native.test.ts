import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { createClientChoice } from '@vigia/video/client-choice'
import pino from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createCameraSession } from '../capture/camera-session.ts'
import { createFurtherStreams } from '../capture/further-streams.ts'
import { createHostSlots, createOwnSlots } from './host-slots.ts'

/** Seconds pass faster for the limits. */
const FASTER = 50

it('opens no second session at a device that ends the first one for it, after two losses', async () => {
  const recorder = await startRecorder({ defeitos: { 1: 'uma_sessao_derruba' } })
  onTestFinished(() => recorder.close())
  const learned: number[] = []
  const slots = createHostSlots(2, {
    closingMs: 50,
    now: () => performance.now() * FASTER,
    onLearned: (_host, connections) => learned.push(connections),
  })
  slots.limit([{ host: '127.0.0.1', connections: Number.POSITIVE_INFINITY, cameras: 1 }])
  const own = createOwnSlots(slots)
  const rtspClient = createClientChoice({ first: 'own', kept: [], onKept() {} })
  let frames = 0
  const session = createCameraSession({
    cameraId: 1,
    fontes: { rtsp_url: recorder.url(1), sub_rtsp_url: recorder.url(1, 'sub') },
    lastFailure: null,
    rtspClient,
    audio: false,
    slots: own,
    maxFps: 5,
    mask: null,
    log: pino({ level: 'silent' }),
    onChange() {},
    async onFrame() {
      frames += 1
    },
  })
  onTestFinished(() => session.stop())
  const streams = createFurtherStreams(own)
  const picture = async () => {
    const stop = new AbortController()
    const readers = [{ reader: { packet: () => stop.abort() } }]
    const [url, { signal }] = [recorder.url(1), stop]
    return await streams.read({ url, client: rtspClient, audio: false, use: 'request', readers, signal })
  }
  /** Frames of a connection that has been open for more than five seconds of the limits. */
  const steady = async () => {
    const before = frames
    await waitFor('frames of the analysed stream', () => frames > before + 3)
  }
  while (learned.length === 0) {
    await steady()
    // The second loss also ends the connection that caused it.
    expect(['aborted', 'full']).toContain(await picture())
  }
  expect([learned, slots.learned('127.0.0.1')]).toEqual([[1], 1])
  await steady()
  expect(await picture()).toBe('full')
  await steady()
  expect(session.status()).toMatchObject({ online: true, failure: null })
})
