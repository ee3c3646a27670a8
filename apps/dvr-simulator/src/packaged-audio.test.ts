import { openBrowser } from '@vigia/testing/browser'
import { createConnection } from '@vigia/video/connection'
import { makeClip } from '@vigia/video/mp4/clip'
import { createPackager, type InitSegment, type MediaPart } from '@vigia/video/mp4/packager'
import { createRing } from '@vigia/video/readers/ring'
import { type InspectedAudio, inspectMp4 } from '@vigia/video/test-peer/inspect-mp4'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AudioKind, audioKinds } from './rtp/audio.ts'
import { createSimulator } from './simulator.ts'
import { footageFile } from './test/clips.ts'
import { playerScript } from './test/player-script.ts'

const SECONDS = 4
/** A listener does not notice less. */
const LIP_SYNC_S = 0.15

interface Packaged {
  readonly codecs: string
  /** Init segment and parts in a row. */
  readonly live: Buffer
  readonly chunks: readonly Buffer[]
  readonly clip: Buffer
  readonly clipCodecs: string
}

/** Packages some seconds of a camera that sends audio. `hasAudio`: whether the edge requests it. */
async function packaged(audio: AudioKind, hasAudio = true): Promise<Packaged> {
  const simulator = createSimulator({ porta: 0, canais: [{ principal: footageFile('campus-b-sub.mp4') }], audio })
  const { porta } = await simulator.start()
  const url = `rtsp://127.0.0.1:${porta}/cam/realmonitor?channel=1&subtype=0`
  const connection = createConnection({ url, ...(hasAudio && { audio: true }) })
  const inits: InitSegment[] = []
  const parts: MediaPart[] = []
  const stop = new AbortController()
  const ring = createRing({ spanMs: 60_000, maxBytes: 2 ** 24 })
  const packager = createPackager({
    partMs: 250,
    audio: true,
    onInit: (init) => inits.push(init),
    onPart(part) {
      parts.push(part)
      if (part.startTicks > SECONDS * 90_000) stop.abort()
    },
  })
  connection.attach(ring)
  connection.attach(packager)
  await connection.run(AbortSignal.any([stop.signal, AbortSignal.timeout(30_000)]))
  await simulator.stop()
  const clip = makeClip(ring.cut(0), { atMs: 0, toMs: Number.MAX_SAFE_INTEGER })
  const [init] = inits
  if (!init || !clip || inits.length !== 1) throw new Error(`${inits.length} init segments`)
  const chunks = [init.data, ...parts.map(({ data }) => data)]
  return { codecs: init.codecs, live: Buffer.concat(chunks), chunks, clip: clip.data, clipCodecs: clip.codecs }
}

/** Share of the energy that belongs to the tone of 440 Hz. */
function toneShare({ samples, sampleRate }: InspectedAudio): number {
  const used = samples.slice(sampleRate, 2 * sampleRate)
  const part = (of: (angle: number) => number) =>
    used.reduce((sum, value, i) => sum + value * of((2 * Math.PI * 440 * i) / sampleRate), 0)
  const energy = used.reduce((sum, value) => sum + value * value, 0)
  return (2 * (part(Math.cos) ** 2 + part(Math.sin) ** 2)) / used.length / energy
}

let browser: Awaited<ReturnType<typeof openBrowser>>
let all: { readonly kind: AudioKind; readonly made: Packaged }[]
beforeAll(async () => {
  all = await Promise.all(audioKinds.map(async (kind) => ({ kind, made: await packaged(kind) })))
  browser = await openBrowser({ shell: true })
})
afterAll(() => browser.close())

describe('audio beside the video', () => {
  it('is AAC without gaps in parts and clips, and FFmpeg decodes the tone without a message', async () => {
    for (const { kind, made } of all) {
      expect([made.codecs, made.clipCodecs]).toEqual(Array(2).fill(expect.stringMatching(/^avc1\.\w+,mp4a\.40\.2$/)))
      for (const file of [made.live, made.clip]) {
        const { audio, messages, duration, decoded } = await inspectMp4(file)
        expect(messages).toEqual([])
        expect(decoded).toBeGreaterThan(20)
        if (!audio) throw new Error(`no audio from ${kind}`)
        expect(audio).toMatchObject({
          codec: 'aac',
          sampleRate: kind === 'aac' || kind === 'latm' ? 16_000 : 8_000,
          gaps: 0,
        })
        expect(audio.start).toBeLessThan(LIP_SYNC_S)
        expect(audio.end).toBeGreaterThan(duration - 1)
        expect(toneShare(audio)).toBeGreaterThan(0.9)
      }
    }
  })

  it('is missing when the connection does not request it', async () => {
    const made = await packaged('aac', false)
    expect(made.codecs).toMatch(/^avc1\.\w+$/)
    for (const file of [made.live, made.clip]) expect((await inspectMp4(file)).audio).toBeNull()
  })

  it('plays in Chromium, live and as a clip', async () => {
    const page = await browser.newPage()
    for (const { made } of all) {
      const mime = `video/mp4; codecs="${made.codecs}"`
      const chunks = made.chunks.map((data) => data.toString('base64'))
      for (const source of [{ mime, chunks }, { clip: made.clip.toString('base64') }]) {
        const played = await page.evaluate(`(${PLAY})(${JSON.stringify(source)})`)
        expect(played).toMatchObject({ error: null })
        expect(played).toHaveProperty(
          'audioBytes',
          expect.toSatisfy((bytes: number) => bytes > 2_000),
        )
        expect(played).toHaveProperty(
          'frames',
          expect.toSatisfy((frames: number) => frames > 20),
        )
      }
    }
  })
})

const PLAY = playerScript(
  2,
  `return {
    error: video.error?.message ?? null,
    audioBytes: video.webkitAudioDecodedByteCount,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
  }`,
)
