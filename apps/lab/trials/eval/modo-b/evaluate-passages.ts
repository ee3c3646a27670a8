import { createCameraPipeline } from '@vigia/analysis/camera-pipeline'
import type { SeenPassage } from '@vigia/analysis/plates/passage-model'
import { createPlateReader } from '@vigia/analysis/plates/plate-reader'
import { median } from '@vigia/testing/stats'
import { toText } from '@vigia/testing/table'
import type { TrialOutput } from '@vigia/testing/trial'
import { openStill } from '@vigia/video/testing/still'
import { createTurns } from '@vigia/vision/turns'
import { settingsOf } from '../analyse-video.ts'
import { plainScene } from '../scene.ts'
import { type Condition, conditions, type MovingFrame, movingPlate } from './moving-plate.ts'
import { openDetector } from './open-detector.ts'
import type { LabelledPlate } from './plate-labels.ts'

const FIRST_SEED = 20_000
const FRAME_MS = 200
const BEGINNING = Date.UTC(2026, 0, 1)
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

interface Played {
  readonly condition: Condition
  /** Passages of the vehicle with the labelled plate. */
  readonly passages: number
  readonly right: boolean
  readonly wrong: boolean
  /** From the first frame of the passage to its first record with a plate; null: none before the end. */
  readonly decidedMs: number | null
}

/** Plays the composed passages through the pipeline of a camera with Mode B. Returns a table. */
export async function evaluatePassages(
  labels: readonly LabelledPlate[],
  confPlaca: number,
  onProgress: TrialOutput['progress'],
): Promise<string> {
  const runner = await openDetector()
  const played: Played[] = []
  const count = labels.length * conditions.length
  const begun = process.cpuUsage()
  const readPlates = createPlateReader((error) => {
    throw error
  })
  for (const label of labels)
    for (const condition of conditions) {
      const frames: MovingFrame[] = []
      for await (const one of movingPlate(label, condition, FIRST_SEED + played.length)) frames.push(one)
      const seen: SeenPassage[] = []
      const atMs: number[] = []
      let now = 0
      const pipeline = createCameraPipeline({
        cameraId: 1,
        states: {},
        runner,
        turns: createTurns(),
        readPlates,
        onEvents() {},
        settings: { ...settingsOf(plainScene, []), modoB: { regiao: [], confPlaca } },
        onPassage(passage) {
          seen.push(passage)
          atMs.push(now)
        },
      })
      for (const { jpeg } of frames) {
        const still = await openStill(jpeg)
        if (!still) throw new Error('a composed frame is no picture')
        await pipeline.frame(still.frame, { streamMs: now, epochMs: BEGINNING + now })
        await pipeline.idle()
        await still.release()
        now += FRAME_MS
      }
      await pipeline.close()
      played.push({ condition, ...judge(label, frames, seen, atMs) })
      onProgress(played.length / count, `${label.shown}, ${condition}`)
    }
  const { user } = process.cpuUsage(begun)
  await runner.close()
  return table(played, user / 1e6 / count)
}

function judge(
  label: LabelledPlate,
  frames: readonly MovingFrame[],
  seen: readonly SeenPassage[],
  atMs: readonly number[],
) {
  const isOwn = ({ ocorrido_em, caixa }: SeenPassage) => {
    const plate = frames[Math.round((ocorrido_em - BEGINNING) / FRAME_MS)]?.plate
    if (!plate) return false
    const [x, y] = [plate.x / FRAME.width, plate.y / FRAME.height]
    return x >= caixa.x && x <= caixa.x + caixa.w && y >= caixa.y && y <= caixa.y + caixa.h
  }
  const own = seen.filter(isOwn)
  const last = own.at(-1)
  const decided = seen.findIndex((one) => isOwn(one) && one.placa !== null && one.fim === null)
  const first = seen[decided]
  return {
    passages: new Set(own.map(({ passagem }) => passagem)).size,
    right: last?.placa?.placa === label.shown,
    wrong: last?.placa != null && last.placa.placa !== label.shown,
    decidedMs: first ? (atMs[decided] ?? 0) - (first.inicio - BEGINNING) : null,
  }
}

/** Size of a composed frame, in pixels. */
const FRAME = { width: 640, height: 360 } as const

function table(played: readonly Played[], cpuS: number): string {
  const share = (some: readonly Played[], is: (one: Played) => boolean) =>
    percent(some.filter(is).length / Math.max(1, some.length))
  const rows = [...conditions, null].map((condition) => {
    const some = played.filter((one) => condition === null || one.condition === condition)
    const times = some.flatMap(({ decidedMs }) => decidedMs ?? [])
    return [
      condition ?? 'todas',
      String(some.length),
      share(some, ({ passages }) => passages === 1),
      share(some, ({ passages }) => passages === 0),
      share(some, ({ right }) => right),
      share(some, ({ wrong }) => wrong),
      times.length > 0 ? String(median(times)) : '-',
    ]
  })
  return toText({
    titulo: 'Passagens pelo pipeline (veículo, trilha, leitura, votação)',
    nota: `Sementes a partir de ${FIRST_SEED}. ${cpuS.toFixed(1)} s de CPU por passagem, com o desenho.`,
    colunas: ['condição', 'carros', 'exatamente uma', 'nenhuma', 'placa certa', 'placa errada', 'ms até decidir'],
    linhas: rows,
  })
}
