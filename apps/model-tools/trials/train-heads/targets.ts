import type { Detection } from '@vigia/ias/detection'
import { areaOf, type Box, clip, intersection, iou } from '@vigia/ias/geometry'
import type { Random } from './random.ts'
import { type Labelled, labelsOf, type Task } from './sources.ts'

/** Label that the folder does not state for this place: its loss is masked. */
export const UNKNOWN = -1

/** A box of which the second model classifies the surroundings. */
export interface Target {
  readonly box: Box
  /** 1, 0 or UNKNOWN for each label of the head. */
  readonly wanted: readonly number[]
  /** A labelled box, a detection of the first model, or a random box without label. */
  readonly kind: 'labelled' | 'candidate' | 'random'
  /** Confidence and label of the first model; null for other kinds. */
  readonly first: { readonly confianca: number; readonly rotulo: string } | null
}

/** Maximum numbers of labelled boxes of each label and of detections in one picture. */
const MOST = { fogo: { labelled: 2, candidate: 3 }, epi: { labelled: 3, candidate: 0 } } as const
/** Probability of a random box in a picture. */
const RANDOM_SHARE = 0.5
/** A detection of the same thing: overlap of 0.3, or one box mostly inside the other and not tiny beside it. */
const SAME_IOU = 0.3
const SAME_INSIDE = 0.6
const SAME_AREA = 0.1
/** A thing of which less than this part is inside the cut counts as absent from it. */
const OUTSIDE = 0.02

/** Targets of one picture. `candidates`: detections of the first model. */
export function chooseTargets(
  task: Task,
  picture: Labelled,
  candidates: readonly Detection[],
  random: Random,
): Target[] {
  const labels: readonly string[] = labelsOf[task]
  const most = MOST[task]
  const own = labels.flatMap((label) =>
    random.some(
      picture.boxes.filter((one) => one.label === label),
      most.labelled,
    ),
  )
  const labelled = own.map(({ label, box }): Target => {
    const moved = random.chance(0.6) ? jitter(box, random) : box
    const wanted = task === 'epi' ? wantedOfItem(label) : wantedThere(task, picture, moved)
    return { box: moved, wanted: wanted.with(labels.indexOf(label), 1), kind: 'labelled', first: null }
  })
  const found = random.some(candidates, most.candidate).map((one): Target => {
    const { x, y, w, h, confianca, rotulo } = one
    const box = { x, y, w, h }
    return { box, wanted: wantedThere(task, picture, box), kind: 'candidate', first: { confianca, rotulo } }
  })
  const free = (random.chance(RANDOM_SHARE) ? [randomBox(picture, random)] : []).map(
    (box): Target => ({ box, wanted: wantedThere(task, picture, box), kind: 'random', first: null }),
  )
  return [...labelled, ...found, ...free].filter(
    ({ box, wanted }) => box.w > 0 && box.h > 0 && wanted.some((value) => value !== UNKNOWN),
  )
}

/** A head states nothing about the vest, and a vest nothing about the head. */
function wantedOfItem(label: string): number[] {
  const half = label === 'hardhat' || label === 'no_hardhat'
  return labelsOf.epi.map((one) =>
    (one === 'hardhat' || one === 'no_hardhat') === half ? Number(one === label) : UNKNOWN,
  )
}

/** Each label: 1 if a labelled box is the same thing, 0 if none reaches into the cut, else unknown. */
function wantedThere(task: Task, { boxes, known }: Labelled, box: Box): number[] {
  const cut = clip({ x: box.x - box.w / 2, y: box.y - box.h / 2, w: box.w * 2, h: box.h * 2 })
  return labelsOf[task].map((label) => {
    if (!known.has(label)) return UNKNOWN
    const mine = boxes.filter((one) => one.label === label)
    if (mine.some((one) => sameThing(one.box, box))) return 1
    return mine.some((one) => intersection(one.box, cut) > OUTSIDE * areaOf(one.box)) ? UNKNOWN : 0
  })
}

function sameThing(a: Box, b: Box): boolean {
  if (iou(a, b) >= SAME_IOU) return true
  const [smaller = 0, larger = 0] = [areaOf(a), areaOf(b)].sort((left, right) => left - right)
  return smaller >= SAME_AREA * larger && intersection(a, b) >= SAME_INSIDE * smaller
}

/** The boxes of the first model differ from those that people draw. */
function jitter(box: Box, random: Random): Box {
  const scale = Math.exp(0.2 * random.normal())
  const [w, h] = [box.w * scale, box.h * scale]
  const x = box.x + box.w / 2 + 0.12 * random.normal() * box.w - w / 2
  const y = box.y + box.h / 2 + 0.12 * random.normal() * box.h - h / 2
  return clip({ x, y, w, h })
}

/** Half of the boxes are the size of a labelled one, so that size alone says nothing. */
function randomBox({ boxes }: Labelled, random: Random): Box {
  const [model] = random.chance(0.5) ? random.some(boxes, 1) : []
  const w = model?.box.w ?? Math.exp(random.between(Math.log(0.04), Math.log(0.6)))
  const h = model?.box.h ?? w * Math.exp(random.between(-0.5, 0.5))
  return clip({ x: random.between(0, 1 - w), y: random.between(0, Math.max(0, 1 - h)), w, h })
}
