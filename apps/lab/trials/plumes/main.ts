import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { NomeIa } from '@vigia/contracts/ias'
import { createStreamReader } from '@vigia/video/stream-reader'
import { createVideoWriter, type VideoWriter } from '@vigia/video/video-writer'
import { analyseVideo, settingsOf } from '../eval/analyse-video.ts'
import { createEvalModels } from '../eval/eval-models.ts'
import { plainScene } from '../eval/scene.ts'
import { createPlume } from './plume.ts'

/**
 * Draws a seeded plume over the first seconds of real clips. Runs the analyses on each clip with and without it:
 * `npm run plumes -- [--data ../shared/data/cctv] [--clip FILE]... [--seed N]`. `invasao` only gives
 * the boxes of people. Drawn plumes are no proof for real smoke.
 */
const COUNTED: readonly NomeIa[] = ['fogo', 'fumaca']
const FPS = 5
const STARTS_S = 5
const LASTS_S = 36
const BITS_PER_PIXEL = 0.12
/** As wide as the second stream of a recorder. */
const WIDEST = 640
/** 4:2:0 requires even sides. */
const even = (side: number) => 2 * Math.round(side / 2)

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/cctv' },
    clip: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '7' },
  },
})

const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/', import.meta.url))
const own = ['campus-a-principal.mp4', 'campus-b-principal.mp4'].map((file) => join(footage, file))
const shared = (await readdir(values.data)).filter((file) => file.endsWith('.mp4')).toSorted()
const clips = [...shared.map((file) => join(values.data, file)), ...values.clip, ...own]

/** Copies the first seconds of `source`; with a seed, a plume grows in them. */
async function copyClip(source: string, path: string, seed: number | null): Promise<void> {
  let writer: VideoWriter | null = null
  let plume: ReturnType<typeof createPlume> | null = null
  const stop = new AbortController()
  await createStreamReader({ url: source, maxFps: FPS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        const atS = frame.timestampMs / 1000
        if (atS > LASTS_S) return stop.abort()
        const scale = Math.min(1, WIDEST / frame.width)
        const [width, height] = [even(frame.width * scale), even(frame.height * scale)]
        writer ??= await createVideoWriter({
          path,
          width,
          height,
          fps: FPS,
          bitRate: BITS_PER_PIXEL * width * height * FPS,
        })
        const picture = { rgb: await frame.toPacked('rgb', width, height), width, height }
        if (seed !== null) {
          plume ??= createPlume(seed, picture)
          plume(picture, atS - STARTS_S)
        }
        await writer.write(picture.rgb, frame.timestampMs)
      },
    },
    stop.signal,
  )
  await (writer as VideoWriter | null)?.close()
}

const models = createEvalModels(null)
await models.ready()
const folder = await mkdtemp(join(tmpdir(), 'vigia-plumes-'))
const delays: number[] = []
let wrong = 0
try {
  for (const [index, clip] of clips.entries()) {
    const line: string[] = [basename(clip).padEnd(38)]
    for (const seed of [null, Number(values.seed) + index]) {
      const path = join(folder, 'clip.mkv')
      await copyClip(clip, path, seed)
      const { events: all, failure } = await analyseVideo(
        path,
        models.pipelineFor(settingsOf(plainScene, [...COUNTED, 'invasao'])),
        models.judge,
        () => {},
      )
      if (failure !== null) throw new Error(`${clip}: ${failure}`)
      const events = all.filter(({ ia }) => COUNTED.includes(ia))
      const early = seed === null ? events : events.filter(({ ia, atS }) => ia === 'fogo' || atS < STARTS_S)
      wrong += early.length
      const names = early.map(({ ia, atS }) => `${ia} ${atS.toFixed(1)} s`).join(', ') || 'none'
      const found = seed === null ? undefined : events.find(({ ia, atS }) => ia === 'fumaca' && atS >= STARTS_S)
      if (found) delays.push(found.atS - STARTS_S)
      if (seed === null) line.push(`clean: false ${names}`)
      else line.push(`plume: ${found ? `${(found.atS - STARTS_S).toFixed(1)} s` : 'not found'}, false ${names}`)
    }
    process.stdout.write(`${line.join('  ')}\n`)
  }
} finally {
  await rm(folder, { recursive: true })
  await models.close()
}
const median = delays.toSorted((a, b) => a - b)[delays.length >> 1]?.toFixed(1) ?? '–'
process.stdout.write(`found ${delays.length} of ${clips.length} plumes, median ${median} s, false events ${wrong}\n`)
