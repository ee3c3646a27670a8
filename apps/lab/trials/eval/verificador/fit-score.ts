import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Box, iou } from '@vigia/ias/geometry'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { openPicture } from '@vigia/vision/picture'
import { encodeJpeg } from '@vigia/vision/testing/jpeg'
import { findDataSet, type StillSet } from '../data-set.ts'
import { parseYoloLabels } from '../yolo-labels.ts'
import { FITTED_CLIP, readCampus } from './campus.ts'
import { judgeOnMain } from './collect.ts'
import { createVerifierBench, type Labelled, type Tarefa, type VerifierBench } from './judge-candidates.ts'
import { dot, type FitRow, fitLogistic, sigmoid } from './logistic.ts'
import type { Grupo, Outcome } from './outcome.ts'
import { calibrationError, reliability } from './statistics.ts'
import { makeVersion, versions } from './versions.ts'

const SEED = 20_261_123
/** Maximum number of pictures of one folder, evenly spaced, so that the fit takes minutes. */
const MAX_PICTURES = 170
/** Maximum number of candidates of one picture. */
const MAX_CANDIDATES = 4
const SAME_IOU = 0.5
const OTHER_IOU = 0.1
/** Weights of an earlier set of 2,161 candidates (packages/vision/README.md): 2x, 3x, first model, bias. */
const PRIOR = [0.57, 0.83, 0.73, 2.52]
const PRIOR_STRENGTH = 10
const CLIP = 0.01

const logit = (value: number) => {
  const clipped = Math.min(1 - CLIP, Math.max(CLIP, value))
  return Math.log(clipped / (1 - clipped))
}
const overlap = (box: Box, others: readonly Box[]): number => Math.max(0, ...others.map((other) => iou(box, other)))

/** Whether a candidate is true by the labels of its picture; null: unknown. */
type Truth = (box: Box, still: StillSet['stills'][number]) => Promise<boolean | null> | boolean | null

interface Folder {
  readonly name: string
  readonly truth: Truth
}

/** Pictures of `negatives-train` with people, found by inspection. */
const withPeople: ReadonlySet<string> = new Set(
  [18, 20, 26, 31, 33, 50, 108, 113, 124, 126, 128, 135, 139, 140, 141, 144, 146, 147, 151, 152, 153, 154, 156, 164]
    .concat([165, 166, 167])
    .map((number) => `neg_${String(number).padStart(4, '0')}.jpg`),
)

/** Many people of these folders have no label, so that a candidate without one is unknown. */
const labelledPerson: Truth = (box, { boxes }) => {
  const people = boxes.filter(({ product }) => product.rotulo === 'person').map((one) => one.box)
  return people.some((person) => iou(box, person) >= SAME_IOU) ? true : null
}
const noPerson: Truth = (_, { path }) => (withPeople.has(basename(path)) ? null : false)

/** Classes of the construction folders; machinery is neither a vehicle of the product nor none. */
const [MACHINERY, VEHICLE] = [8, 9]
const labelledVehicle: Truth = async (box, { path }) => {
  const file = join(path, '../../labels', `${basename(path).replace(/\.[a-z]+$/, '')}.txt`)
  const labels = parseYoloLabels(await readFile(file, 'utf8'), file)
  const boxesOf = (classe: number) => labels.filter((one) => one.classe === classe).map((one) => one.box)
  if (overlap(box, boxesOf(VEHICLE)) >= SAME_IOU) return true
  return overlap(box, [...boxesOf(VEHICLE), ...boxesOf(MACHINERY)]) < OTHER_IOU ? false : null
}
/** Indoor lamps and skies show no vehicle; the other pictures of the folder show roads. */
const noVehicle: Truth = (_, { path }) => (/^(lamp|sky)/.test(basename(path)) ? false : null)

const folders: Readonly<Record<'pessoa' | 'veiculo', readonly Folder[]>> = {
  pessoa: [
    { name: 'person-cctv-train', truth: labelledPerson },
    { name: 'ppe-train', truth: labelledPerson },
    { name: 'ppe-hats-train', truth: labelledPerson },
    { name: 'negatives-train/images', truth: noPerson },
  ],
  veiculo: [
    { name: 'ppe-train', truth: labelledVehicle },
    { name: 'ppe-more-train', truth: labelledVehicle },
    { name: 'negatives-train/images', truth: noVehicle },
  ],
}

/**
 * Fits the weights of the score and prints them beside those of the earlier set. People and vehicles are of the
 * training folders, clean and spoilt, those of the main stream of the first clip of the campus.
 * @param pontuacoes file of the models' results; null: none
 */
export async function fitScore(
  { dataDir, pontuacoes }: { readonly dataDir: string; readonly pontuacoes: string | null },
  { print, progress }: TrialOutput,
): Promise<Result> {
  const { sets } = await findDataSet(dataDir, true)
  const bench = await createVerifierBench(pontuacoes)
  try {
    const judged: [string, readonly Outcome[]][] = []
    for (const grupo of ['pessoa', 'veiculo'] as const) {
      const found: Outcome[] = []
      for (const { name, truth } of folders[grupo]) {
        const set = sets.find((one) => one.name === name)
        if (set) found.push(...(await judgeFolder(bench, set, grupo, truth, progress)))
      }
      judged.push([grupo, found])
    }
    const campus = await readCampus()
    judged.push(['pessoa, imagem principal', await judgeOnMain(bench, campus, FITTED_CLIP)])
    for (const [title, outcomes] of judged) print(`${reportOf(title, outcomes)}\n`)
    return { passed: true }
  } finally {
    await bench.close()
  }
}

async function judgeFolder(
  bench: VerifierBench,
  set: StillSet,
  grupo: Grupo & Tarefa,
  truth: Truth,
  notify: (fraction: number, title: string) => void,
): Promise<Outcome[]> {
  const found: Outcome[] = []
  const step = Math.max(1, Math.ceil(set.stills.length / MAX_PICTURES))
  const stills = set.stills.filter((_, i) => i % step === 0)
  for (const [index, still] of stills.entries()) {
    notify(index / stills.length, still.name)
    const picture = await openPicture(await readFile(still.path)).catch(() => null)
    if (!picture) continue
    const { width, height } = picture
    const rgb = Buffer.from(await picture.cut({ left: 0, top: 0, width, height }, { width, height, format: 'rgb' }))
    for (const versao of ['limpa', versions[1 + (index % (versions.length - 1))] ?? 'limpa'] as const) {
      const spoilt = makeVersion({ rgb, width, height }, versao, SEED + index)
      const frame = await encodeJpeg(spoilt.rgb, width, height)
      for (const box of (await bench.candidates(frame, grupo)).slice(0, MAX_CANDIDATES)) {
        const verdadeiro = await truth(box, still)
        if (verdadeiro === null) continue
        const labelled: Labelled = { box, verdadeiro, grupo, detected: true }
        found.push(await bench.judge(frame, labelled, { fonte: still.name, versao }))
      }
    }
  }
  return found
}

/** Weights of both halves of the pictures, each tested on the other. */
function reportOf(title: string, outcomes: readonly Outcome[]): string {
  const sources = [...new Set(outcomes.map(({ fonte }) => fonte))].toSorted()
  const positive = outcomes.filter(({ verdadeiro }) => verdadeiro).length
  const negative = outcomes.length - positive
  const rows = outcomes.map(({ segundo, primeira, verdadeiro, fonte }): FitRow & { half: number } => ({
    x: [logit(segundo['0'] ?? 0), logit(segundo['1'] ?? 0), logit(primeira ?? 0), 1],
    y: verdadeiro,
    // Both classes weigh the same: the probabilities presuppose that half of the alarms are real.
    weight: verdadeiro ? 1 : positive / Math.max(1, negative),
    half: sources.indexOf(fonte) % 2,
  }))
  const errorOf = (predict: (row: (typeof rows)[number]) => number) =>
    calibrationError(
      reliability(
        rows.map((row) => ({ p: predict(row), verdadeiro: row.y })),
        true,
      ),
    )
  const fitted = (some: typeof rows) => fitLogistic(some, PRIOR, PRIOR_STRENGTH)
  const halves = [0, 1].map((half) => fitted(rows.filter((row) => row.half !== half)))
  const crossed = errorOf(({ x, half }) => sigmoid(dot(halves[half] ?? PRIOR, x)))
  const show = (weights: readonly number[]) => weights.map((value) => value.toFixed(2)).join(' ')
  return [
    `${title}: ${positive} verdadeiros, ${negative} falsos`,
    `pesos anteriores (2x, 3x, primeiro modelo, constante): ${show(PRIOR)}`,
    `erro de calibração: ${errorOf(({ x }) => sigmoid(dot(PRIOR, x))).toFixed(3)}`,
    `pesos ajustados aqui: ${show(fitted(rows))}`,
    `erro, cada metade com os pesos da outra: ${crossed.toFixed(3)}`,
  ].join('\n')
}
