import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { iou } from '@vigia/ias/geometry'
import { SCORE_FACTORS } from '@vigia/ias/verdict-calibration'
import { openPicture } from '@vigia/vision/picture'
import { defaultSecondOpinionId, modelManifest } from '@vigia/vision/registry'
import { createSecondDetector } from '@vigia/vision/second-detector'
import { encodeJpeg } from '@vigia/vision/testing/jpeg'
import { findDataSet } from '../data-set.ts'
import { createProgress } from '../progress.ts'
import { createVerifierBench } from './judge-candidates.ts'
import { dot, type FitRow, fitLogistic, sigmoid } from './logistic.ts'
import { calibrationError, reliability } from './statistics.ts'
import { makeVersion, versions } from './versions.ts'

const SEED = 20_261_123
/** Folders with labelled people, and the folder whose candidates are all false. */
const PEOPLE = ['person-cctv-train', 'ppe-train', 'ppe-hats-train']
const NEGATIVES = 'negatives-train/images'
/** Most pictures of one folder, evenly spaced, so that the fit takes minutes. */
const MAX_PICTURES = 170
/** Pictures of NEGATIVES in which a person checked that people appear. */
const WITH_PEOPLE: ReadonlySet<string> = new Set(
  [18, 20, 26, 31, 33, 50, 108, 113, 124, 126, 128, 135, 139, 140, 141, 144, 146, 147, 151, 152, 153, 154, 156, 164]
    .concat([165, 166, 167])
    .map((number) => `neg_${String(number).padStart(4, '0')}.jpg`),
)
const SAME_IOU = 0.5
/** Weights of the larger set (packages/vision/README.md): second model at 2x and 3x, first model, bias. */
const PRIOR = [0.57, 0.83, 0.73, 2.52]
const PRIOR_STRENGTH = 30
const CLIP = 0.01

const logit = (value: number) => {
  const clipped = Math.min(1 - CLIP, Math.max(CLIP, value))
  return Math.log(clipped / (1 - clipped))
}

/**
 * Fits the weights of the score on the training folders, clean and spoilt, and prints them beside those of the
 * product. Odd and even pictures are fitted and tested in turn. Returns the exit code.
 */
export async function fitScore(dataDir: string): Promise<number> {
  const { sets } = await findDataSet(dataDir, true)
  const used = sets.filter(({ name }) => PEOPLE.includes(name) || name === NEGATIVES)
  const bench = await createVerifierBench()
  const second = await createSecondDetector(modelManifest(defaultSecondOpinionId))
  const progress = createProgress()
  const found: (Omit<FitRow, 'weight'> & { readonly half: number })[] = []
  for (const [at, set] of used.entries()) {
    const step = Math.max(1, Math.ceil(set.stills.length / MAX_PICTURES))
    const stills = set.stills.filter(({ path }, i) => i % step === 0 && !WITH_PEOPLE.has(basename(path)))
    for (const [index, still] of stills.entries()) {
      progress.at((at + index / stills.length) / used.length, still.name)
      const picture = await openPicture(await readFile(still.path)).catch(() => null)
      if (!picture) continue
      const { width, height } = picture
      const rgb = Buffer.from(await picture.cut({ left: 0, top: 0, width, height }, { width, height, format: 'rgb' }))
      const labels = still.boxes.filter(({ product }) => product.rotulo === 'person').map(({ box }) => box)
      for (const versao of ['limpa', versions[1 + (index % (versions.length - 1))] ?? 'limpa'] as const) {
        const spoilt = makeVersion({ rgb, width, height }, versao, SEED + index)
        const frame = await encodeJpeg(spoilt.rgb, width, height)
        for (const box of (await bench.candidates(frame, 'pessoa')).slice(0, 4)) {
          const y = labels.some((label) => iou(box, label) >= SAME_IOU)
          // Many people of the labelled folders have no label.
          if (!y && set.name !== NEGATIVES) continue
          const question = { rotulos: ['person'], factors: SCORE_FACTORS }
          const [region] = (await second.inspect({ frame, crop: frame, caixas: [box] }, question)).regions
          const [s2 = 0, s3 = 0] = region?.seen ?? []
          found.push({ x: [logit(s2), logit(s3), logit(box.confianca), 1], y, half: index % 2 })
        }
      }
    }
  }
  progress.clear()
  await Promise.all([bench.close(), second.close()])
  process.stdout.write(`${reportOf(found)}\n`)
  return 0
}

function reportOf(found: readonly (Omit<FitRow, 'weight'> & { readonly half: number })[]): string {
  const positive = found.filter(({ y }) => y).length
  const negative = found.length - positive
  // Both classes weigh the same, as in the set of PRIOR.
  const rows = found.map((row) => ({ ...row, weight: row.y ? 1 : positive / Math.max(1, negative) }))
  const errorOf = (predict: (row: (typeof rows)[number]) => number) =>
    calibrationError(reliability(rows.map((row) => ({ p: predict(row), verdadeiro: row.y }))))
  const halves = [0, 1].map((half) =>
    fitLogistic(
      rows.filter((row) => row.half !== half),
      PRIOR,
      PRIOR_STRENGTH,
    ),
  )
  const crossed = errorOf(({ x, half }) => sigmoid(dot(halves[half] ?? PRIOR, x)))
  const show = (weights: readonly number[]) => weights.map((value) => value.toFixed(2)).join(' ')
  return [
    `candidatos: ${positive} verdadeiros, ${negative} falsos`,
    `pesos do produto (2x, 3x, primeiro modelo, constante): ${show(PRIOR)}`,
    `erro de calibração: ${errorOf(({ x }) => sigmoid(dot(PRIOR, x))).toFixed(3)}`,
    `pesos ajustados aqui: ${show(fitLogistic(rows, PRIOR, PRIOR_STRENGTH))}`,
    `erro, cada metade com os pesos da outra: ${crossed.toFixed(3)}`,
  ].join('\n')
}
