import { setTimeout as sleep } from 'node:timers/promises'
import type { Camera } from '@vigia/contracts/cameras'
import type { Api } from '@vigia/testing/api'
import { type LiveViewer, openLiveViewer } from '@vigia/testing/live-viewer'
import type { RecorderProcess } from '@vigia/testing/simulator'
import { percentile } from '@vigia/testing/stats'
import { waitFor } from '@vigia/testing/wait'
import type { Browser, Page } from 'playwright-core'
import { LOOP_S } from './footage.ts'
import { type Shown, WATCH_SCRIPT } from './page-frames.ts'

export interface LiveWorld {
  readonly api: Api
  readonly browser: Browser
  readonly recorder: RecorderProcess
  /** Frames a second of the streams. */
  readonly fps: { readonly principal: number; readonly sub: number }
  /** Length of a measurement. */
  readonly seconds: number
}

export interface Measurement {
  readonly name: string
  /** Videos that played. */
  readonly videos: number
  /** From the request of the page to the first frame, median, ms. Null: not measured. */
  readonly firstMs: number | null
  /** From the recorder to the screen. */
  readonly p50Ms: number
  readonly p95Ms: number
  /** Frames shown a second and video. */
  readonly fps: number
  /** Every video advanced, and none was black. */
  readonly ok: boolean
}

/** Darker frames count as black, 0 to 255. */
const BLACK = 16
const START_MS = 90_000

/** Creates `count` cameras, one for each channel of the recorder, and waits until they are online. */
export async function createCameras({ api, recorder }: LiveWorld, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let canal = 1; canal <= count; canal += 1) {
    const sources = { rtsp_url: recorder.url(canal), sub_rtsp_url: recorder.url(canal, 'sub') }
    // A camera of the list may have a name of its own only.
    const nome = `Câmera ${String(canal).padStart(2, '0')}`
    ids.push((await api.call<Camera>('POST', '/cameras', { nome, ...sources, eventos_habilitados: [] })).id)
  }
  const online = async () => (await api.get<Camera[]>('/cameras')).filter(({ status }) => status === 'online').length
  await waitFor('all cameras online', async () => (await online()) >= count, { timeoutMs: START_MS })
  return ids
}

/** Opens the sub streams of all cameras and the main stream of the first: from now on they are running streams. */
export async function openStreams({ api }: LiveWorld, cameras: readonly number[]): Promise<LiveViewer[]> {
  const viewers = cameras.map((id) => openLiveViewer(api.base, api.token, id, '?fluxo=secundario&prioridade=mosaico'))
  viewers.push(openLiveViewer(api.base, api.token, cameras[0] ?? 0, '?fluxo=principal&prioridade=aberta'))
  await Promise.all(viewers.map((viewer) => viewer.until(4)))
  return viewers
}

/** The main stream of the first camera on its page. */
export const measureOne = (world: LiveWorld, camera: number): Promise<Measurement> =>
  onPage(world, async (page) => {
    await page.goto(`${world.api.base}/cameras/${camera}`)
    return measure(world, page, { name: 'MSE, 1 main stream', videos: 1, sourceOf: () => [1, 'principal'] })
  })

/** All cameras in the mosaic: the large slot and the tiles, in which something always moves. */
export const measureMosaic = (world: LiveWorld, cameras: readonly number[]): Promise<Measurement> =>
  onPage(world, async (page) => {
    await page.goto(world.api.base)
    const canalOf = (nome: string) => (nome === 'grande' ? 1 : cameras.indexOf(Number(nome)) + 1)
    const name = `MSE, ${cameras.length} sub streams`
    return measure(world, page, { name, videos: cameras.length, sourceOf: (nome) => [canalOf(nome), 'sub'] })
  })

/** The main stream over HLS: by the browser itself, or by hls.js. `script`: path of hls.js. */
export const measureHls = (world: LiveWorld, camera: number, script: string | null): Promise<Measurement> =>
  onPage(world, async (page) => {
    const { hls_url } = await world.api.get<{ hls_url: string }>(`/cameras/${camera}/hls_url`)
    await page.goto(`${world.api.base}/api/v1/health`)
    if (script !== null) await page.addScriptTag({ path: script })
    await page.evaluate(`(() => {
      const video = document.body.appendChild(document.createElement('video'))
      video.muted = true
      video.autoplay = true
      if (${script === null}) video.src = ${JSON.stringify(hls_url)}
      else {
        const player = new Hls({ lowLatencyMode: true, maxLiveSyncPlaybackRate: 1.5 })
        player.loadSource(${JSON.stringify(hls_url)})
        player.attachMedia(video)
      }
    })()`)
    const name = script === null ? 'HLS of Chromium, 1 main stream' : 'LL-HLS (hls.js), 1 main stream'
    return measure(world, page, { name, videos: 1, sourceOf: () => [1, 'principal'] })
  })

/** Plays the main stream by hls.js while `work` runs. Returns its fatal errors, and one if the video stood still. */
export const playHls = (world: LiveWorld, camera: number, script: string, work: Promise<unknown>): Promise<string[]> =>
  onPage(world, async (page) => {
    const { hls_url } = await world.api.get<{ hls_url: string }>(`/cameras/${camera}/hls_url`)
    await page.goto(`${world.api.base}/api/v1/health`)
    await page.addScriptTag({ path: script })
    await page.evaluate(`(() => {
      const video = document.body.appendChild(document.createElement('video'))
      Object.assign(video, { muted: true, autoplay: true })
      const player = new Hls({ lowLatencyMode: true })
      window.fatal = []
      player.on(Hls.Events.ERROR, (_, { fatal, details }) => fatal && window.fatal.push(details))
      player.loadSource(${JSON.stringify(hls_url)})
      player.attachMedia(video)
    })()`)
    const position = () => page.evaluate<number>("document.querySelector('video').currentTime")
    await waitFor('the video', async () => (await position()) > 0, { timeoutMs: START_MS })
    const [before, startedAt] = [await position(), performance.now()]
    await work
    const playedS = (await position()) - before
    const fatal = await page.evaluate<string[]>('window.fatal')
    const isStill = playedS < ((performance.now() - startedAt) / 1000) * 0.9
    return isStill ? [...fatal, `only ${playedS.toFixed(0)} s were played`] : fatal
  })

async function onPage<T>({ api, browser }: LiveWorld, use: (page: Page) => Promise<T>): Promise<T> {
  // The page of HLS has a script that the policy of the cloud does not know.
  const context = await browser.newContext({
    viewport: { width: 1920, height: 1080 },
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    bypassCSP: true,
  })
  try {
    await context.addCookies([{ name: 'session', value: api.token, url: api.base }])
    await context.addInitScript(WATCH_SCRIPT)
    return await use(await context.newPage())
  } finally {
    await context.close()
  }
}

interface Subject {
  readonly name: string
  readonly videos: number
  /** Channel and stream behind a video. */
  sourceOf(nome: string): readonly [canal: number, stream: 'principal' | 'sub']
}

async function measure(world: LiveWorld, page: Page, subject: Subject): Promise<Measurement> {
  const shownNow = async () => (await page.evaluate<Shown[]>('shownVideos()')).filter(({ frames }) => frames.length > 0)
  await waitFor(`${subject.videos} videos`, async () => (await shownNow()).length >= subject.videos, {
    timeoutMs: START_MS,
    everyMs: 500,
  })
  const before = await shownNow()
  const startedAt = Date.now()
  await sleep(world.seconds * 1000)
  const shown = await shownNow()
  const delays = shown.flatMap(({ nome, frames }) => {
    const [canal, stream] = subject.sourceOf(nome)
    const start = world.recorder.playStart(canal, stream)
    if (!start) throw new Error(`channel ${canal} plays to nobody`)
    return frames.filter(([at]) => at >= startedAt).map(([at, number]) => delayMs(start, at, number, world.fps[stream]))
  })
  const first = shown.flatMap(({ askedAt, frames }) => (askedAt && frames[0] ? [frames[0][0] - askedAt] : []))
  const positionBefore = (nome: string) => before.find((one) => one.nome === nome)?.currentTime ?? 0
  return {
    name: subject.name,
    videos: shown.length,
    firstMs: first.length > 0 ? percentile(first, 0.5) : null,
    p50Ms: percentile(delays, 0.5),
    p95Ms: percentile(delays, 0.95),
    fps: delays.length / shown.length / world.seconds,
    ok: shown.every(
      ({ nome, brightness, currentTime }) => brightness > BLACK && currentTime > positionBefore(nome) + 1,
    ),
  }
}

/** Time since the recorder sent frame `number` of its loop, ms. */
function delayMs(start: { time: number; posicao_ms: number }, at: number, number: number, fps: number): number {
  const loopMs = LOOP_S * 1000
  const sentAt = start.time + (number * 1000) / fps - start.posicao_ms
  return (((at - sentAt) % loopMs) + loopMs) % loopMs
}
