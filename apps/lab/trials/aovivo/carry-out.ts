import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '@vigia/testing/browser'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { createAccount } from '../journeys/harness/accounts.ts'
import { compareHls } from './compare.ts'
import { writeNumbered } from './footage.ts'
import {
  createCameras,
  type LiveWorld,
  type Measurement,
  measureHls,
  measureMosaic,
  measureOne,
  openStreams,
  playHls,
} from './measure.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Largest values, ms. */
const ONE = { first: 500, p95: 600 }
const MANY = { first: 1000, p95: 1200 }
const LOW_LATENCY_HLS = { first: Number.POSITIVE_INFINITY, p95: 2000 }
const UNBOUNDED = { first: Number.POSITIVE_INFINITY, p95: Number.POSITIVE_INFINITY }

const MAIN = { width: 1280, height: 720, fps: 25, bitRate: 2_000_000 }
const SUB = { width: 640, height: 360, fps: 10, bitRate: 520_000 }
/** Number of printed faults. */
const SHOWN_FAULTS = 20

/** Starts recorder, edge, cloud and browser, and measures, or validates one camera. */
export async function carryOut(options: Options, output: TrialOutput): Promise<Result> {
  const { segundos, conferir, 'hls-js': script = null } = options
  const count = conferir === undefined ? options.cameras : 1
  const folder = temporaryFolder('vigia-aovivo-')
  const files = { main: join(folder, 'main.mkv'), sub: join(folder, 'sub.mkv') }
  await writeNumbered(files.main, MAIN)
  await writeNumbered(files.sub, SUB)
  const recorder = await startRecorder({ canais: Array.from({ length: count }, () => `${files.main},${files.sub}`) })
  const vigia = await startInstallation()
  const browser = await openBrowser({ shell: true })
  try {
    const { api } = (await createAccount(await vigia.signIn())).admin
    const fps = { principal: MAIN.fps, sub: SUB.fps }
    const world = { api, browser, recorder, fps, seconds: segundos }
    const cameras = await createCameras(world, count)
    const viewers = await openStreams(world, cameras)
    const result =
      conferir === undefined
        ? await measureAll(world, cameras, script, output)
        : await validate({ world, vigia, camera: cameras[0] ?? 0, script, folder, minutes: conferir }, output)
    for (const viewer of viewers) viewer.close()
    return result
  } finally {
    await browser.close()
    await vigia.close()
    await recorder.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param script path of hls.js */
async function measureAll(
  world: LiveWorld,
  cameras: readonly number[],
  script: string | null,
  { progress }: TrialOutput,
): Promise<Result> {
  const first = cameras[0] ?? 0
  const subjects: readonly { measure(): Promise<Measurement>; readonly most: typeof ONE }[] = [
    { measure: () => measureOne(world, first), most: ONE },
    { measure: () => measureMosaic(world, cameras), most: MANY },
    { measure: () => measureHls(world, first, null), most: UNBOUNDED },
    ...(script === null ? [] : [{ measure: () => measureHls(world, first, script), most: LOW_LATENCY_HLS }]),
  ]
  const rows = []
  for (const [index, { measure, most }] of subjects.entries()) {
    progress(index / subjects.length, `measurement ${index + 1} of ${subjects.length}`)
    const { name, videos, firstMs, p50Ms, p95Ms, fps, ok } = await measure()
    rows.push({
      video: name,
      within_limits: ok && (firstMs ?? 0) <= most.first && p95Ms <= most.p95,
      videos,
      first_picture_s: firstMs === null ? null : inSeconds(firstMs),
      delay_median_s: inSeconds(p50Ms),
      delay_p95_s: inSeconds(p95Ms),
      frames_s: Number(fps.toFixed(1)),
      still_or_black: !ok,
    })
  }
  return { passed: rows.every(({ within_limits }) => within_limits), rows }
}

interface Validation {
  readonly world: LiveWorld
  readonly vigia: Installation
  readonly camera: number
  readonly script: string | null
  readonly folder: string
  readonly minutes: number
}

async function validate(
  { world, vigia, camera, script, folder, minutes }: Validation,
  { print }: TrialOutput,
): Promise<Result> {
  const { api, recorder } = world
  const { hls_url } = await api.get<{ hls_url: string }>(`/cameras/${camera}/hls_url`)
  const { edge, cloud } = vigia.programs
  const compared = compareHls({
    playlist: new URL(hls_url, api.base).href,
    rtsp: recorder.url(1),
    folder,
    minutes,
    sentAt: () => recorder.playStart(1, 'principal')?.time ?? Number.NaN,
    pids: { edge: edge.pid, cloud: cloud.pid },
  })
  const player = script === null ? [] : await playHls(world, camera, script, compared)
  const { segments, faults, newestMs, oursMs, ffmpegMs, edgeCores, cloudCores, ffmpegCores } = await compared
  const found = [...player.map((error) => `hls.js: ${error}`), ...faults]
  print(
    [
      `${segments} segments in ${minutes} min, ${found.length} faults`,
      `newest picture in the playlist: ${inSeconds(newestMs)} s old`,
      `whole segments are listed after ${inSeconds(oursMs)} s, of ffmpeg after ${inSeconds(ffmpegMs)} s`,
      `cores: edge ${edgeCores.toFixed(3)}, cloud ${cloudCores.toFixed(3)}, ffmpeg ${ffmpegCores.toFixed(3)}`,
      ...found.slice(0, SHOWN_FAULTS).map((fault) => `  ${fault}`),
    ].join('\n'),
  )
  return { passed: found.length === 0 && segments > 0 }
}

const inSeconds = (ms: number): number => Number((ms / 1000).toFixed(2))
