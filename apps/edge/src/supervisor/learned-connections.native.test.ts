import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { createClientChoice } from '@vigia/video/client-choice'
import pino from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createCameraSession } from '../capture/camera-session.ts'
import { createFurtherStreams } from '../capture/further-streams.ts'
import { createHostSlots, createOwnSlots } from './host-slots.ts'

/** An analysed camera of a recorder with a quirk. Seconds pass `faster` for the limits. */
async function watchCamera(defeito: string, faster: number) {
  const recorder = await startRecorder({ defeitos: { 1: defeito } })
  onTestFinished(() => recorder.close())
  const learned: number[] = []
  const slots = createHostSlots(2, {
    closingMs: 50,
    now: () => performance.now() * faster,
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
  return {
    slots,
    learned,
    session,
    frames: () => frames,
    /** Reads so many pictures of the main stream. */
    read: async (pictures: number) => {
      const stop = new AbortController()
      let left = pictures
      const readers = [{ reader: { packet: () => void (--left === 0 && stop.abort()) } }]
      const [url, { signal }] = [recorder.url(1), stop]
      return await streams.read({ url, client: rtspClient, audio: false, use: 'request', readers, signal })
    },
  }
}

it('opens no second session at a device that ends the first one for it, after two losses', async () => {
  const { slots, learned, session, frames, read } = await watchCamera('uma_sessao_derruba', 50)
  /** Frames of a connection that has been open for more than five seconds of the limits. */
  const steady = async () => {
    const before = frames()
    await waitFor('frames of the analysed stream', () => frames() > before + 3)
  }
  while (learned.length === 0) {
    await steady()
    // The second loss also ends the connection that caused it.
    expect(['aborted', 'full']).toContain(await read(1))
  }
  expect([learned, slots.learned('127.0.0.1')]).toEqual([[1], 1])
  await steady()
  expect(await read(1)).toBe('full')
  await steady()
  expect(session.status()).toMatchObject({ online: true, failure: null })
})

it('ends a second session that makes the first one worse again, and opens no more', async () => {
  const { slots, learned, session, read } = await watchCamera('segunda_sessao_piora', 2)
  const beat = setInterval(() => slots.measured('127.0.0.1', 1, session.status().pictures ?? null), 50)
  onTestFinished(() => clearInterval(beat))
  const pictures = () => session.status().pictures ?? 0
  const steady = async () => {
    const before = pictures()
    // 24 seconds of the limits.
    await waitFor('pictures of the analysed stream', () => pictures() > before + 120, { timeoutMs: 60_000 })
  }
  await steady()
  expect(await read(120)).toBe('aborted')
  expect(learned).toEqual([])
  await steady()
  expect(await read(150)).toBe('full')
  expect([learned, slots.learned('127.0.0.1')]).toEqual([[1], 1])
  await steady()
  expect(await read(1)).toBe('full')
  expect([slots.learned('127.0.0.1'), session.status()]).toMatchObject([1, { online: true, failure: null }])
})
