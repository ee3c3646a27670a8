import { openBrowser } from '@vigia/testing/browser'
import { createConnection } from '@vigia/video/connection'
import { makeClip } from '@vigia/video/mp4/clip'
import { createPackager, type InitSegment, type MediaPart } from '@vigia/video/mp4/packager'
import { createRing } from '@vigia/video/readers/ring'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSimulator, type Simulator } from './simulator.ts'
import { footageFile } from './test/clips.ts'
import { playerScript } from './test/player-script.ts'

const SECONDS = 3
let simulator: Simulator
let porta = 0
let browser: Awaited<ReturnType<typeof openBrowser>>
let channels: Packaged[]

beforeAll(async () => {
  const canais = [{ principal: footageFile('campus-b-sub.mp4') }, { principal: footageFile('campus-b-quadros-b.mp4') }]
  simulator = createSimulator({ porta: 0, canais })
  porta = (await simulator.start()).porta
  channels = await Promise.all([packaged(1), packaged(2)])
  browser = await openBrowser({ shell: true })
})
afterAll(async () => {
  await browser.close()
  await simulator.stop()
})

interface Packaged {
  readonly init: InitSegment
  readonly parts: readonly MediaPart[]
  readonly clip: Buffer
}

/** Packages some seconds of a channel as parts and as a file. */
async function packaged(canal: number): Promise<Packaged> {
  const inits: InitSegment[] = []
  const parts: MediaPart[] = []
  const stop = new AbortController()
  const connection = createConnection({ url: `rtsp://127.0.0.1:${porta}/cam/realmonitor?channel=${canal}&subtype=0` })
  const ring = createRing({ spanMs: 60_000, maxBytes: 2 ** 24 })
  const packager = createPackager({
    partMs: 250,
    onInit: (init) => inits.push(init),
    onPart(part) {
      parts.push(part)
      if (part.timeMs >= SECONDS * 1000) stop.abort()
    },
  })
  connection.attach(ring)
  connection.attach(packager)
  expect(await connection.run(AbortSignal.any([stop.signal, AbortSignal.timeout(30_000)]))).toBe('aborted')
  const clip = makeClip(ring.cut(0), { atMs: 0, toMs: Number.MAX_SAFE_INTEGER })
  const [init] = inits
  if (!init || !clip) throw new Error('no init segment')
  return { init, parts, clip: clip.data }
}

interface Played {
  readonly error: string | null
  readonly duration: number
  readonly currentTime: number
  readonly width: number
  readonly frames: number
  /** Standard deviation of the grey levels of the last picture: 0 for a black one. */
  readonly contrast: number
}

const PLAY = playerScript(
  4,
  `const context = new OffscreenCanvas(32, 24).getContext('2d')
  context.drawImage(video, 0, 0, 32, 24)
  const green = [...context.getImageData(0, 0, 32, 24).data].filter((_, i) => i % 4 === 1)
  const mean = green.reduce((sum, value) => sum + value, 0) / green.length
  return {
    error: video.error?.message ?? null,
    duration: video.duration,
    currentTime: video.currentTime,
    width: video.videoWidth,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
    contrast: Math.sqrt(green.reduce((sum, value) => sum + (value - mean) ** 2, 0) / green.length),
  }`,
)

describe('packaged video in Chromium', () => {
  // One page: the browser of the npm package runs in one process.
  it('plays as parts and as a file, without and with reordered pictures', async () => {
    const page = await browser.newPage()
    for (const { init, parts, clip } of channels) {
      const mime = `video/mp4; codecs="${init.codecs}"`
      const chunks = [init.data, ...parts.map(({ data }) => data)].map((data) => data.toString('base64'))
      const seconds = parts.reduce((sum, { durationTicks }) => sum + durationTicks, 0) / 90_000
      for (const source of [{ mime, chunks }, { clip: clip.toString('base64') }]) {
        const played = (await page.evaluate(`(${PLAY})(${JSON.stringify(source)})`)) as Played
        expect(played).toMatchObject({ error: null, width: init.width })
        expect(played.duration).toBeCloseTo(seconds, 0)
        expect(played.currentTime).toBeGreaterThan(seconds - 1)
        expect(played.frames).toBeGreaterThan(20)
        expect(played.contrast).toBeGreaterThan(10)
      }
    }
  })
})
