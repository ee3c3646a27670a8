import { readFile } from 'node:fs/promises'
import { createCameraPipeline } from '@vigia/analysis/camera-pipeline'
import type { CorVeiculo } from '@vigia/analysis/plates/paint-colour'
import { isVehicle } from '@vigia/analysis/plates/passage'
import { boxOf, inside, withMargin } from '@vigia/analysis/plates/plate-regions'
import type { PlateFound } from '@vigia/analysis/plates/read-plates'
import { colourOf } from '@vigia/analysis/plates/vehicle-colour'
import { coresVeiculo } from '@vigia/contracts/veiculos'
import { areaOf, type Box } from '@vigia/ias/geometry'
import { shareOf } from '@vigia/ias/share'
import { toText } from '@vigia/testing/table'
import type { TrialOutput } from '@vigia/testing/trial'
import type { VideoFrame } from '@vigia/video/frame'
import { openStill } from '@vigia/video/testing/still'
import type { ModelRunner } from '@vigia/vision/model-runner'
import { createTurns } from '@vigia/vision/turns'
import { settingsOf } from '../analyse-video.ts'
import { plainScene } from '../scene.ts'
import { openDetector } from './open-detector.ts'
import type { LabelledPlate } from './plate-labels.ts'

/** Colours of the photographs as a person sees them (`sha256,cor`); an empty one: unclear also to a person. */
const LABELS = new URL('../../../labels/plates-colours.csv', import.meta.url)
const FRAMES = 5
const FRAME_MS = 200
const BEGINNING = Date.UTC(2026, 0, 1)

interface ReadPhotograph {
  readonly label: LabelledPlate
  readonly found: PlateFound | null
}

interface Judged {
  readonly sha256: string
  /** As labelled; null: unclear also to a person. */
  readonly cor: string | null
  readonly answer: CorVeiculo | null
}

/** Compares the colours of the photographed vehicles with the labels. Returns a table. */
export async function evaluateColours(
  photographs: readonly ReadPhotograph[],
  onProgress: TrialOutput['progress'],
): Promise<string> {
  const lines = (await readFile(LABELS, 'utf8')).trim().split('\n').slice(1)
  const colours = new Map(lines.map((line) => line.split(',') as [string, string]))
  const runner = await openDetector()
  const judged: Judged[] = []
  try {
    for (const photograph of photographs) {
      const { sha256, placa } = photograph.label
      const answer = await colourIn(photograph, runner)
      judged.push({ sha256, cor: colours.get(sha256) || null, answer })
      onProgress(judged.length / photographs.length, `cor, ${placa}`)
    }
  } finally {
    await runner.close()
  }
  return table(judged)
}

/** The answer of the product to one picture of the vehicle; null also where no vehicle is detected around the plate. */
async function colourIn({ label, found }: ReadPhotograph, runner: ModelRunner): Promise<CorVeiculo | null> {
  const still = await openStill(await readFile(label.path))
  if (!still) throw new Error(`not a picture: ${label.path}`)
  try {
    const { frame } = still
    const box = await vehicleAround(label, frame, runner)
    if (!box) return null
    const region = withMargin(box)
    const [width, height] = [Math.round(region.w * frame.width), Math.round(region.h * frame.height)]
    const picture = { width, height, data: await frame.toPacked('rgb', width, height, region) }
    const plate = found && inside(region, boxOf(found, frame))
    return colourOf(picture, inside(region, box), plate)?.cor ?? null
  } finally {
    await still.release()
  }
}

/** The largest vehicle that the detector finds around the labelled plate. */
async function vehicleAround(label: LabelledPlate, frame: VideoFrame, runner: ModelRunner): Promise<Box | null> {
  const settings = { ...settingsOf(plainScene, []), modoB: { regiao: [], confPlaca: 1 } }
  const options = { cameraId: 1, states: {}, runner, turns: createTurns(), settings, onEvents() {} }
  const pipeline = createCameraPipeline({ ...options, readPlates: async () => [] })
  for (let shown = 0; shown < FRAMES; shown++) {
    const streamMs = shown * FRAME_MS
    await pipeline.frame(frame, { epochMs: BEGINNING + streamMs, streamMs })
    await pipeline.idle()
  }
  const seen = pipeline.seen((FRAMES - 1) * FRAME_MS)
  await pipeline.close()
  const [x, y] = [(label.x + label.w / 2) / frame.width, (label.y + label.h / 2) / frame.height]
  const around = seen.filter(
    (one) => isVehicle(one.rotulo) && x >= one.x && x <= one.x + one.w && y >= one.y && y <= one.y + one.h,
  )
  return around.sort((a, b) => areaOf(b) - areaOf(a))[0] ?? null
}

/** The thresholds were chosen on these photographs only. */
const isTuning = ({ sha256 }: Judged): boolean => Number.parseInt(sha256.slice(-1), 16) % 2 === 0

function table(judged: readonly Judged[]): string {
  const labelled = judged.filter(({ cor }) => cor !== null)
  const halves = [labelled.filter(isTuning), labelled.filter((one) => !isTuning(one))]
  const rows = [...coresVeiculo, null].map((cor) => {
    const cells = halves.flatMap((half) => cellsOf(half.filter((one) => cor === null || one.cor === cor)))
    return [cor ?? 'todas', ...cells]
  })
  const unlabelled = judged.filter(({ cor }) => cor === null)
  const answered = unlabelled.filter(({ answer }) => answer !== null).length
  return toText({
    titulo: 'Cor do veículo',
    nota: [
      'Caixa do detector em torno da placa; sem veículo detectado não há resposta. Um quadro por foto, sem votação.',
      `Ajuste: hash par. Prova: hash ímpar. Sem rótulo: ${unlabelled.length} fotos, ${answered} com resposta.`,
      ...['Ajuste', 'Prova'].map((name, at) => `${name}: ${summaryOf(halves[at] ?? [])}`),
    ].join('\n'),
    colunas: ['cor', ...['ajuste', 'prova'].flatMap((half) => [`${half}: certas`, 'erradas', 'nenhuma'])],
    linhas: rows,
  })
}

const isRight = ({ cor, answer }: Judged): boolean => answer === cor

function cellsOf(some: readonly Judged[]): string[] {
  const answered = some.filter(({ answer }) => answer !== null)
  const right = answered.filter(isRight).length
  return [right, answered.length - right, some.length - answered.length].map(String)
}

function summaryOf(some: readonly Judged[]): string {
  const answered = some.filter(({ answer }) => answer !== null)
  const percent = (k: number, n: number) => {
    const { de, ate } = shareOf(k, n)
    const [share, from, to] = [k / Math.max(1, n), de, ate].map((value) => (100 * value).toFixed(0))
    return `${share} % (${k} de ${n}; ${from}–${to})`
  }
  const right = answered.filter(isRight).length
  return `respostas ${percent(answered.length, some.length)}, das quais certas ${percent(right, answered.length)}`
}
