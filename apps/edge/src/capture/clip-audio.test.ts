import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { createConnection } from '@vigia/video/connection'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClipRecorder } from './clip-recorder.ts'
import type { SeenClip } from './model.ts'

let recorder: RecorderProcess
beforeAll(async () => {
  recorder = await startRecorder({ argumentos: ['--audio', 'aac'] })
})
afterAll(() => recorder.close())

/** The clip of an event on a camera with audio. `isSwitchedOff`: the audio is switched off before the clip is cut. */
async function clipOf({ isSwitchedOff }: { isSwitchedOff: boolean }): Promise<SeenClip | undefined> {
  const clips: SeenClip[] = []
  const enough = new AbortController()
  const clipRecorder = createClipRecorder({
    cameraId: 1,
    mask: null,
    inTurn: (work) => work(),
    log: pino({ level: 'silent' }),
    onClip: (clip) => clips.push(clip),
    onMissing: () => {},
  })
  const connection = createConnection({ url: recorder.url(1, 'sub'), audio: true })
  connection.attach(clipRecorder.reader)
  let heard = 0
  connection.attach({
    packet({ timeMs }) {
      clipRecorder.frame(timeMs, 1_000_000 + timeMs)
    },
    audio() {
      if (++heard === 10) clipRecorder.event('a', 1_000_000)
      if (heard < 30) return
      if (isSwitchedOff) clipRecorder.silence()
      enough.abort()
    },
  })
  await connection.run(AbortSignal.any([enough.signal, AbortSignal.timeout(20_000)]))
  await clipRecorder.stop()
  return clips[0]
}

it('has the audio of the camera, and loses it when the audio is switched off', async () => {
  const [on, off] = await Promise.all([clipOf({ isSwitchedOff: false }), clipOf({ isSwitchedOff: true })])
  expect(on?.codecs).toMatch(/^avc1\.\w+,mp4a\.40\.2$/)
  expect(on?.data.includes('soun')).toBe(true)
  expect(off?.codecs).toMatch(/^avc1\.\w+$/)
  expect(off?.data.includes('soun')).toBe(false)
})
