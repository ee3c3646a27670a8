import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ANALYSED_FPS } from '@vigia/analysis/model'
import { VigiaError } from '@vigia/contracts/errors'
import { type Box, iou } from '@vigia/ias/geometry'
import { shareOf } from '@vigia/ias/share'
import { repositoryRoot } from '@vigia/testing/program'
import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import { createStreamReader } from '@vigia/video/stream-reader'
import { openStill } from '@vigia/video/testing/still'
import { createVideoWriter } from '@vigia/video/testing/video-writer'
import { settingsOf } from '../analyse-video.ts'
import { emptyScene } from '../composto/clip.ts'
import { createEvalModels, type EvalModels } from '../eval-models.ts'
import { plainScene } from '../scene.ts'
import type { Pixels } from '../stress/pixels.ts'
import { createSensorNoise } from '../weather/sensor-noise.ts'
import { type CutCar, drawQueue, queueAt } from './queue.ts'

/** Heights of the vehicles, in pixels of a picture of 768x576. */
const HEIGHTS_PX = [8, 12, 16, 24, 32, 48, 64]
const LIGHTS = [
  { luz: 'normal', gain: 1 },
  { luz: 'escuro', gain: 0.35 },
] as const
/** Vehicles of one queue, and queues of each size and light. */
const QUEUE = 3
const QUEUES = 4
const SECONDS = 8
/** The first pictures count for nothing: the tracker needs some frames. */
const FROM_S = 2
const BOTTOM = 0.8
const SAME_IOU = 0.3
const vehicles = ['car', 'truck', 'bus', 'motorcycle']
const BIT_RATE = 1_500_000
const campus = join(repositoryRoot, 'apps/dvr-simulator/footage/campus-a-principal.mp4')

/**
 * Measures the recall of small vehicles in a group: photographed cars, scaled down, drive one behind the other over an
 * empty campus. Composed: no real scene with vehicles of few pixels is labelled.
 */
export async function evaluateVehicles(
  { dataDir }: { readonly dataDir: string },
  { print, progress }: TrialOutput,
): Promise<Result> {
  const models = createEvalModels(null)
  const folder = await mkdtemp(join(tmpdir(), 'vigia-veiculos-'))
  try {
    await models.ready()
    const scene = await emptyScene({ path: campus, name: 'campus', untilS: 26 }, () => [])
    const photographs = await cutCars(join(dataDir, 'plates'), QUEUE * QUEUES, models)
    let done = 0
    const rows: Row[] = []
    for (const heightPx of HEIGHTS_PX) {
      const cars = await Promise.all(photographs.map((photograph) => photograph.at(heightPx)))
      const shares: [light: string, share: string][] = []
      for (const { luz, gain } of LIGHTS) {
        const total = { boxes: 0, found: 0 }
        for (let queue = 0; queue < QUEUES; queue++) {
          const some = cars.slice(queue * QUEUE, (queue + 1) * QUEUE)
          const path = join(folder, 'fila.mkv')
          await writeQueue(path, scene, some, gain)
          const { boxes, found } = await countFound(path, models, (atS) => queueAt(some, scene, BOTTOM, atS))
          total.boxes += boxes
          total.found += found
          progress(++done / (HEIGHTS_PX.length * LIGHTS.length * QUEUES), `${heightPx} px`)
        }
        const { k, n, de, ate } = shareOf(total.found, total.boxes)
        shares.push([luz, `${percent(k / n)} (${percent(de)}–${percent(ate)})`])
      }
      rows.push({ altura: `${heightPx} px`, ...Object.fromEntries(shares) })
    }
    print(
      `Veículos pequenos em fila (compostos): achados por quadro, IoU ${SAME_IOU}, limiar padrão. ` +
        `${QUEUES} filas de ${QUEUE} carros em cada linha.`,
    )
    return { passed: true, rows }
  } finally {
    await models.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const percent = (value: number) => `${(100 * value).toFixed(0)} %`

async function writeQueue(path: string, scene: Pixels, cars: readonly CutCar[], gain: number): Promise<void> {
  const { width, height } = scene
  const noise = createSensorNoise({ read: 2, shot: 0, colour: 0 }, 1)
  const writer = await createVideoWriter({ path, width, height, fps: ANALYSED_FPS, bitRate: BIT_RATE })
  for (let step = 0; step < SECONDS * ANALYSED_FPS; step++) {
    const atS = step / ANALYSED_FPS
    const picture = drawQueue(scene, cars, queueAt(cars, scene, BOTTOM, atS), gain)
    noise(picture, atS)
    await writer.write(picture.rgb, Math.round(atS * 1000))
  }
  await writer.close()
}

/** Boxes of the queue, and those that the pipeline finds, over all frames. */
async function countFound(path: string, models: EvalModels, boxesAt: (atS: number) => Box[]) {
  const total = { boxes: 0, found: 0 }
  const pipeline = models.pipelineFor(settingsOf(plainScene, ['veiculo']))(() => {})
  await createStreamReader({ url: path, maxFps: ANALYSED_FPS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        const streamMs = frame.timestampMs
        await pipeline.frame(frame, { epochMs: Date.UTC(2026, 0, 1) + streamMs, streamMs })
        await pipeline.idle()
        if (streamMs < FROM_S * 1000) return
        const seen = pipeline.seen(streamMs).filter(({ rotulo }) => vehicles.includes(rotulo))
        const boxes = boxesAt(streamMs / 1000)
        total.boxes += boxes.length
        total.found += boxes.filter((box) => seen.some((one) => iou(one, box) >= SAME_IOU)).length
      },
    },
    new AbortController().signal,
  )
  await pipeline.close()
  return total
}

interface Photograph {
  /** The car with this height in pixels. */
  at(heightPx: number): Promise<CutCar>
}

/** The cars of the first `count` photographs whose largest vehicle lies wholly in the picture. */
async function cutCars(folder: string, count: number, models: EvalModels): Promise<Photograph[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jpg')).toSorted()
  const photographs: Photograph[] = []
  for (const name of names) {
    if (photographs.length === count) break
    const still = await openStill(await readFile(join(folder, name)))
    if (!still) continue
    const { frame } = still
    const pipeline = models.pipelineFor(settingsOf(plainScene, ['veiculo']))(() => {})
    for (let streamMs = 0; streamMs < 1_000; streamMs += 200) {
      await pipeline.frame(frame, { epochMs: Date.UTC(2026, 0, 1) + streamMs, streamMs })
      await pipeline.idle()
    }
    const [car] = pipeline.seen(800).filter(({ rotulo }) => rotulo === 'car')
    await pipeline.close()
    if (!car || car.w * car.h < 0.1) continue
    const ratio = (car.w * frame.width) / (car.h * frame.height)
    photographs.push({
      async at(heightPx) {
        const width = Math.max(2, Math.round(heightPx * ratio))
        return { name, width, height: heightPx, rgb: await frame.toPacked('rgb', width, heightPx, car) }
      },
    })
  }
  if (photographs.length < count)
    throw new VigiaError('validacao', { detalhe: `Em ${folder} não há ${count} fotos de carros inteiros.` })
  return photographs
}
