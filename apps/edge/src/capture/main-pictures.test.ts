import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFurtherStreams } from './further-streams.ts'
import { createMainPictures, type MainPicturesOptions } from './main-pictures.ts'

let recorder: RecorderProcess
beforeAll(async () => {
  recorder = await startRecorder()
})
afterAll(() => recorder.close())

const streams = () => ({ rtsp_url: recorder.url(1, 'principal'), sub_rtsp_url: recorder.url(1, 'sub') })

function begin(options: Pick<MainPicturesOptions, 'longestMs'> = {}) {
  const lines: string[] = []
  const held: string[] = []
  let ahead = 0
  const slot = { busy: false }
  const pictures = createMainPictures({
    mask: null,
    audio: false,
    cameraId: 1,
    rtspClient: 'ffmpeg',
    slot,
    streams: createFurtherStreams({
      async acquire({ host }) {
        held.push(host)
        const release = () => void held.splice(0)
        const ends = { lost() {}, refused() {}, unreachable() {} }
        return { opened() {}, ...ends, release, revoked: new AbortController().signal }
      },
    }),
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    now: () => performance.now() + ahead,
    ...options,
  })
  const taken: number[] = []
  const request = (fontes = streams()) => pictures.request(fontes, async ({ width }) => void taken.push(width))
  const pass = (ms: number) => {
    ahead += ms
  }
  return { pictures, slot, taken, held, lines, request, pass }
}
const idle = (slot: { busy: boolean }) => waitFor('the end of the connection', () => !slot.busy)

it('takes one frame of the main stream, releases the slot, and has a rate per camera', async () => {
  const { pictures, slot, taken, held, request, pass } = begin()
  request()
  request()
  await idle(slot)
  expect([taken.length, held]).toEqual([1, []])
  request()
  expect(slot.busy).toBe(false)
  pass(30_000)
  request()
  await idle(slot)
  expect(taken).toHaveLength(2)
  await pictures.stop()
})

it('opens nothing without a separate main stream', async () => {
  const { slot, request } = begin()
  const { rtsp_url } = streams()
  request({ rtsp_url, sub_rtsp_url: rtsp_url })
  expect(slot.busy).toBe(false)
})

it('never repeats a login with a refused password, until the address changes', async () => {
  const { slot, taken, lines, request, pass } = begin()
  request({ ...streams(), rtsp_url: recorder.url(1, 'principal', 'errada') })
  await idle(slot)
  pass(86_400_000)
  request({ ...streams(), rtsp_url: recorder.url(1, 'principal', 'errada') })
  expect([slot.busy, taken]).toEqual([false, []])
  expect(lines.join('')).toContain('senha_recusada')
  expect(lines.join('')).not.toContain('errada')
  request()
  await idle(slot)
  expect(taken).toHaveLength(1)
})

it('tries a stream with long groups of pictures rarely', async () => {
  const smart = await startRecorder({ defeitos: { 1: { defeito: 'grupo_longo', quadros: 2_000 } } })
  const { pictures, slot, taken, lines, request, pass } = begin({ longestMs: 1_500 })
  const fontes = { rtsp_url: smart.url(1, 'principal'), sub_rtsp_url: smart.url(1, 'sub') }
  request(fontes)
  await idle(slot)
  expect([taken, lines.join('').includes('sem_quadro_chave')]).toEqual([[], true])
  // The usual interval.
  pass(30_000)
  request(fontes)
  expect(slot.busy).toBe(false)
  await pictures.stop()
  await smart.close()
})

it('ends at once when the camera is removed', async () => {
  const { pictures, slot, request } = begin()
  request()
  await pictures.stop()
  expect(slot.busy).toBe(false)
  request()
  expect(slot.busy).toBe(false)
})
