import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ANALYSED_FPS } from '@vigia/analysis/model'
import type { Detection } from '@vigia/ias/detection'
import { type Box, iou } from '@vigia/ias/geometry'
import { toText } from '@vigia/testing/table'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { analyseVideo, type Judge, settingsOf } from '../analyse-video.ts'
import { createEvalModels } from '../eval-models.ts'
import { plainScene } from '../scene.ts'
import type { Pixels } from '../stress/pixels.ts'
import { type Clip, emptyScene, readFrames } from './clip.ts'
import { type Change, EMPTY_S, luggageChange, writeComposed } from './compose.ts'
import { type DisturbanceName, disturbance, disturbanceNames } from './disturbances.ts'
import { type DetectedPeople, type Plan, planObjects } from './plan.ts'

export interface ComposedOptions {
  readonly dataDir: string
  /** Further clips: file names with paths; of `vtest.avi` only the first 40 s are read. */
  readonly clips: readonly string[]
  /** Number of objects and of disturbances in all. */
  readonly cenas: number
}

/** Start of analyseVideo. */
const START = Date.UTC(2026, 0, 1)
const noJudge: Judge = { judge: async () => ({ decisao: null, motivo: '' }) }
const timesOf = (events: readonly Found[]) =>
  events
    .map(
      ({ atS, caixas }) =>
        `${atS.toFixed(1)} s ${caixas.map(({ x, y, w, h }) => [x, y, w, h].map((v) => v.toFixed(2)))}`,
    )
    .join(' ') || 'nenhum'

const SEED = 1_000_018
const PERMANENCIA_S = 10
/** An event this long before the threshold is wrong, and after it too late. */
const EARLY_S = 3
const LATE_S = 5
const DISTURBED_S = 45
const VTEST_S = 40
const SAME_PLACE = 0.2

interface Found {
  readonly atS: number
  readonly caixas: readonly Detection[]
}

/**
 * Measures `objeto_abandonado` on scenes composed from real clips: drawn luggage beside the feet of a real person who
 * leaves, and disturbances without any object. Fails below 0.9 found, or with a false event.
 */
export async function evaluateComposed(
  { dataDir, clips: more, cenas: count }: ComposedOptions,
  { print }: TrialOutput,
): Promise<Result> {
  const names = ['one-by-one-person-detection', 'test_motion_video-2', 'store-aisle-detection', 'worker-zone-detection']
  const clips: Clip[] = [...names.map((name) => join(dataDir, 'cctv', `${name}.mp4`)), ...more].map((path) => ({
    path,
    name: basename(path),
    untilS: basename(path) === 'vtest.avi' ? VTEST_S : Number.POSITIVE_INFINITY,
  }))
  const models = createEvalModels(null)
  const folder = await mkdtemp(join(tmpdir(), 'vigia-composto-'))
  try {
    await models.ready()
    const run = async (
      clip: Clip,
      empty: Pixels,
      plan: Pick<Plan, 'fromS' | 'untilS' | 'loop' | 'seed'>,
      change: Change,
    ) => {
      const path = join(folder, 'clip.mkv')
      await writeComposed(clip, empty, plan, change, path)
      const config_ia = { objeto_abandonado: { permanencia_s: PERMANENCIA_S, resfriamento_s: 1 } }
      const found: Found[] = []
      const create = models.pipelineFor(settingsOf({ ...plainScene, config_ia }, ['objeto_abandonado']))
      const pipeline = (onEvents: Parameters<typeof create>[0]) =>
        create((events) => {
          for (const { candidate } of events)
            found.push({ atS: (candidate.ocorrido_em - START) / 1000 + plan.fromS - EMPTY_S, caixas: candidate.caixas })
          onEvents(events)
        })
      await analyseVideo(path, pipeline, noJudge, () => {})
      return found
    }
    const rows: string[][] = []
    const totals = { found: 0, scenes: 0, wrong: 0, disturbed: 0, false: 0 }
    const falseBy = new Map<DisturbanceName, [scenes: number, events: number]>()
    const calmEach = Math.ceil(count / clips.length / 2)
    const car = await cutCar({ path: join(dataDir, 'cctv', 'car-detection.mp4'), name: 'car', untilS: 30 })
    const planned: { clip: Clip; detected: readonly DetectedPeople[]; plans: readonly Plan[] }[] = []
    for (const [index, clip] of clips.entries()) {
      const { detected, aspect } = await findPeople(clip)
      planned.push({ clip, detected, plans: planObjects(detected, aspect, PERMANENCIA_S, count, SEED + index) })
    }
    for (const { clip, detected, plans } of withShares(planned, count)) {
      const empty = await emptyScene(clip, (atS) => detected.find((one) => one.atS >= atS - 0.1)?.people ?? [])
      let found = 0
      print(`${clip.name}: ${plans.length} objetos`)
      const missed: string[] = []
      for (const plan of plans) {
        const dueS = plan.aloneAtS + PERMANENCIA_S
        const events = await run(clip, empty, plan, luggageChange(plan, empty, detected))
        const here = events.filter(({ caixas }) => caixas.some((caixa) => iou(caixa, plan.box) >= SAME_PLACE))
        const good = here.find(({ atS }) => atS >= dueS - EARLY_S && atS <= dueS + LATE_S)
        totals.wrong += events.length - (good ? 1 : 0)
        if (good) found++
        else missed.push(`${plan.kind} ${plan.putAtS.toFixed(1)} s, devido ${dueS.toFixed(1)} s: ${timesOf(events)}`)
        print(`${clip.name} ${plan.kind} ${good ? 'sim' : `NÃO (${missed.at(-1)})`}`)
      }
      totals.found += found
      totals.scenes += plans.length
      rows.push([clip.name, `${found} de ${plans.length}`, missed.join('; ') || '–'])
      for (let one = 0; one < calmEach; one++) {
        const name = disturbanceNames[one % disturbanceNames.length] ?? 'nada'
        const endS = detected.at(-1)?.atS ?? 0
        const fromS = Math.max(0, ((one * 7) % Math.max(1, Math.floor(endS - DISTURBED_S))) - 1)
        const plan = { fromS, untilS: Math.min(endS, fromS + DISTURBED_S), loop: null, seed: SEED + one }
        const events = await run(
          clip,
          empty,
          plan,
          disturbance(name, { atS: fromS + 14, detected, seed: plan.seed, car }),
        )
        const [scenes, wrong] = falseBy.get(name) ?? [0, 0]
        falseBy.set(name, [scenes + 1, wrong + events.length])
        totals.disturbed++
        totals.false += events.length
        print(`${clip.name} ${name}: ${events.length} falsos ${timesOf(events)}`)
      }
    }
    const columns = ['clipe', 'achados', 'perdidos']
    const table = toText({ titulo: 'Objetos compostos', colunas: columns, linhas: rows })
    const calm = [...falseBy].map(([name, [scenes, wrong]]) => [name, `${scenes}`, `${wrong}`])
    const others = toText({ titulo: 'Cenas sem objeto', colunas: ['mudança', 'cenas', 'eventos falsos'], linhas: calm })
    const share = totals.found / Math.max(1, totals.scenes)
    const sum = `${totals.found} de ${totals.scenes} (${(share * 100).toFixed(0)} %)`
    print(`${table}\n\n${others}\n\n${sum}; fora de hora ou de lugar: ${totals.wrong}`)
    return { passed: share >= 0.9 && totals.false === 0 }
  } finally {
    await models.close()
    await rm(folder, { recursive: true })
  }

  /** A real car: the largest that lies wholly in the picture. */
  async function cutCar(clip: Clip): Promise<Pixels> {
    const best: { picture: Pixels | null; box: Box } = { picture: null, box: { x: 0, y: 0, w: 0, h: 0 } }
    const pipeline = models.pipelineFor(settingsOf(plainScene, ['veiculo']))(() => {})
    await readFrames(clip, ANALYSED_FPS, async (frame, streamMs) => {
      await pipeline.frame(frame, { epochMs: START + streamMs, streamMs })
      await pipeline.idle()
      const [car] = pipeline.seen(streamMs).filter(({ rotulo }) => rotulo === 'car')
      if (!car || car.w * car.h <= best.box.w * best.box.h) return
      if (car.x < 0.01 || car.y < 0.01 || car.x + car.w > 0.99 || car.y + car.h > 0.99) return
      const [width, height] = [Math.round(car.w * frame.width), Math.round(car.h * frame.height)]
      best.picture = { rgb: await frame.toPacked('rgb', width, height, car), width, height }
      best.box = car
    })
    await pipeline.close()
    if (!best.picture) throw new Error(`no car in ${clip.path}`)
    return best.picture
  }

  async function findPeople(clip: Clip): Promise<{ detected: readonly DetectedPeople[]; aspect: number }> {
    const detected: DetectedPeople[] = []
    let aspect = 1
    const pipeline = models.pipelineFor(settingsOf(plainScene, ['invasao']))(() => {})
    await readFrames(clip, ANALYSED_FPS, async (frame, streamMs) => {
      await pipeline.frame(frame, { epochMs: START + streamMs, streamMs })
      await pipeline.idle()
      aspect = frame.width / frame.height
      detected.push({ atS: streamMs / 1000, people: pipeline.seen(streamMs).filter((one) => one.rotulo === 'person') })
    })
    await pipeline.close()
    return { detected, aspect }
  }
}

/** Shares of `count` for each clip: clips with few suitable moments use all of them, and the others fill up. */
function withShares<T extends { readonly plans: readonly Plan[] }>(planned: readonly T[], count: number): T[] {
  const shares = new Map<T, number>()
  let rest = count
  for (const [index, one] of planned.toSorted((a, b) => a.plans.length - b.plans.length).entries()) {
    const share = Math.min(one.plans.length, Math.ceil(rest / (planned.length - index)))
    shares.set(one, share)
    rest -= share
  }
  return planned.map((one) => ({ ...one, plans: one.plans.slice(0, shares.get(one)) }))
}
