import { createHash } from 'node:crypto'
import { calibrate, type Judged, probabilityOf, type Scored, sigmoid } from './calibration.ts'
import { collect, type Row } from './collect.ts'
import { questions } from './evidence.ts'
import { type FitOptions, fitHead, type Head, logitsOf, type Samples } from './fit.ts'
import { headFile } from './head-file.ts'
import { figuresOf, outcomesOf, reliabilityOf } from './report.ts'
import { foldsByScene } from './scenes.ts'
import { labelsOf, readSources, type Task } from './sources.ts'
import { UNKNOWN } from './targets.ts'

export interface Trained {
  readonly model: Buffer
  readonly sha256: string
  /** Question → weights of its evidence, then the bias. */
  readonly weights: Readonly<Record<string, readonly number[]>>
  /** Figures on pictures that the fit did not use, as Markdown. */
  readonly report: string
}

export interface TrainOptions {
  readonly data: string
  readonly seed: number
  /** Uses every n-th picture only; 1: all. */
  readonly every: number
  readonly progress: (text: string) => void
}

const FOLDS = 5
const fit: Omit<FitOptions, 'seed'> = { epochs: 6, rate: 1e-3, decay: 0.5 }

/** A question about a place, answered by a head that was fitted without its scene. */
interface Answered extends Judged {
  readonly row: Row
  readonly fold: number
}

/** Trains one head. Equal data, seed and processor yield equal bytes. */
export async function train(task: Task, { data, seed, every, progress }: TrainOptions): Promise<Trained> {
  const pictures = (await readSources(task, data)).filter((_, at) => at % every === 0)
  const { rows, samples, seen } = await collect(task, pictures, seed, (done) => {
    if (done % 250 === 0) progress(`${task}: ${done} of ${pictures.length} pictures`)
  })
  progress(`${task}: ${rows.length} targets of ${seen.length} pictures`)
  const foldOf = foldsByScene(seen, FOLDS)
  const folds = rows.map(({ picture }) => foldOf.get(picture.file) ?? 0)
  return await fitAndMeasure(task, rows, samples, folds, seed)
}

async function fitAndMeasure(
  task: Task,
  rows: readonly Row[],
  samples: Samples,
  folds: readonly number[],
  seed: number,
): Promise<Trained> {
  const byScene = heldOutLogits(samples, folds, seed)
  const byOrigin = heldOutLogits(
    samples,
    rows.map(({ picture }) => originOf(picture.source)),
    seed,
  )
  const weights: Record<string, number[]> = {}
  const sections: string[] = [labelFigures(task, rows, byScene)]
  for (const question of questions.filter((one) => one.task === task)) {
    const answer = (logits: readonly (readonly number[])[]) =>
      rows.flatMap((row, at): Answered[] => {
        const judged = question.judged(row, logits[at] ?? [])
        return judged ? [{ ...judged, row, fold: folds[at] ?? 0 }] : []
      })
    const answered = answer(byScene)
    weights[question.name] = calibrate(answered)
    sections.push(sectionOf(question.name, answered, answer(byOrigin)))
  }
  const all = rows.map((_, at) => at)
  const head = fitHead(samples, all, { ...fit, seed })
  // The registry names the SHA-256 of the files with this text.
  const model = await headFile(head, { licence: 'Apache-2.0', source: `npm run train-heads, ${task}, seed ${seed}` })
  const sha256 = createHash('sha256').update(model).digest('hex')
  return { model, sha256, weights, report: [`## ${task}: ${rows.length} targets`, ...sections].join('\n') }
}

/** Figures of each output of the head by itself. */
function labelFigures(task: Task, rows: readonly Row[], logits: readonly (readonly number[])[]): string {
  const lines = labelsOf[task].map((label, at) => {
    const known = rows.flatMap(({ wanted }, index) => {
      const truth = wanted[at] ?? UNKNOWN
      return truth === UNKNOWN ? [] : [{ p: sigmoid(logits[index]?.[at] ?? 0), real: truth === 1 }]
    })
    return figuresOf(label, known)
  })
  return lines.join('\n')
}

/** Folders of one origin, so that a head is also measured on pictures of another origin. */
const origins: Readonly<Record<string, number>> = {
  'ppe-train': 0,
  'ppe-more-train': 0,
  'ppe-heads-train': 1,
  'ppe-hats-train': 2,
  'fire-train': 3,
  'fire-more-train': 4,
  'fire-only-train': 5,
  'negatives-train': 6,
}
const originOf = (folder: string) => origins[folder] ?? 0

/** Logits of each row from a head fitted on the other groups. */
function heldOutLogits(samples: Samples, groups: readonly number[], seed: number): number[][] {
  const heads = new Map<number, Head>()
  for (const group of new Set(groups)) {
    const others = groups.flatMap((one, row) => (one === group ? [] : [row]))
    heads.set(group, fitHead(samples, others, { ...fit, seed }))
  }
  return groups.map((group, row) => {
    const head = heads.get(group)
    return head ? logitsOf(head, samples.features.subarray(row * samples.width, (row + 1) * samples.width)) : []
  })
}

/** Figures of one question. The weights for each half of the folds come from the other half. */
function sectionOf(name: string, answered: readonly Answered[], foreign: readonly Answered[]): string {
  const halves = [0, 1].map((half) => calibrate(answered.filter(({ fold }) => fold % 2 !== half)))
  const weightsOf = (fold: number) => halves[fold % 2] ?? []
  const all = calibrate(answered)
  const score = (list: readonly Answered[], weights: (fold: number) => readonly number[]): (Scored & Answered)[] =>
    list.map((one) => ({ ...one, p: probabilityOf(weights(one.fold), one.evidence) }))
  const scored = score(answered, weightsOf)
  const elsewhere = score(foreign, () => all)
  const by = (label: string, list: readonly (Scored & Answered)[]) => [
    figuresOf(`${label}, all`, list),
    figuresOf(
      `${label}, as they are`,
      list.filter(({ row }) => !row.spoilt),
    ),
    figuresOf(
      `${label}, spoilt`,
      list.filter(({ row }) => row.spoilt),
    ),
    ...[...new Set(list.map(({ row }) => row.picture.source))].map((source) =>
      figuresOf(
        `${label}, ${source}`,
        list.filter(({ row }) => row.picture.source === source),
      ),
    ),
  ]
  return [
    `### ${name}`,
    '| held out by | real | not | area | calibration error |',
    ...by('scene', scored),
    ...by('source', elsewhere),
    '| p from | real | not |',
    outcomesOf(scored),
    '| p from (by source) | real | not |',
    outcomesOf(elsewhere),
    '| p from | targets | mean p | real share |',
    reliabilityOf(scored),
  ].join('\n')
}
