import type { Box } from '@vigia/ias/geometry'
import { iou } from '@vigia/ias/geometry'
import { xorshift } from '@vigia/testing/random'

/** Boxes of one class in one picture. */
export interface PictureBoxes {
  readonly labels: readonly Box[]
  readonly found: readonly (Box & { readonly confianca: number })[]
}

export interface PrecisionRecall {
  /** null: no detection has this confidence. */
  readonly precisao: number | null
  /** null: there is no label. */
  readonly revocacao: number | null
  readonly certos: number
  readonly achados: number
}

/** A detection with the label that it takes; null: it is wrong. */
interface Judged<Label extends Box> {
  readonly box: Box & { readonly confianca: number }
  readonly label: Label | null
}

/**
 * Marks the correct detections of one picture. In order of confidence, each detection takes the free label that it
 * covers best. A second box on the same object is wrong (PASCAL VOC devkit 2010, section 3.4; COCO does the same).
 */
export function matchBoxes<Label extends Box>(
  { labels, found }: PictureBoxes & { readonly labels: readonly Label[] },
  minIou: number,
): Judged<Label>[] {
  const free = new Set(labels)
  const overlaps = new Map(found.map((box) => [box, Math.max(0, ...labels.map((label) => iou(box, label)))]))
  const order = found.toSorted((a, b) => b.confianca - a.confianca || (overlaps.get(b) ?? 0) - (overlaps.get(a) ?? 0))
  return order.map((box) => {
    let best: Label | null = null
    for (const label of free) {
      const overlap = iou(box, label)
      if (overlap >= minIou && (best === null || overlap > iou(box, best))) best = label
    }
    if (best) free.delete(best)
    return { box, label: best }
  })
}

/** A detection of a set of pictures. */
interface Ranked {
  readonly picture: number
  readonly confianca: number
  readonly correct: boolean
}

const rank = (pictures: readonly PictureBoxes[], minIou: number): Ranked[] =>
  pictures
    .flatMap((one, picture) =>
      matchBoxes(one, minIou).map(({ box, label }) => ({ picture, confianca: box.confianca, correct: label !== null })),
    )
    .toSorted((a, b) => b.confianca - a.confianca)

/** Area under precision over recall. `times[picture]`: how often the picture counts. */
function areaUnder(ranked: readonly Ranked[], times: Uint16Array, total: number): number {
  const curve: { recall: number; precision: number }[] = []
  let [correct, all] = [0, 0]
  for (const [index, one] of ranked.entries()) {
    const weight = times[one.picture] ?? 0
    all += weight
    if (one.correct) correct += weight
    if (all > 0 && ranked[index + 1]?.confianca !== one.confianca)
      curve.push({ recall: correct / total, precision: correct / all })
  }
  let area = 0
  let precision = 0
  for (const [index, point] of curve.toReversed().entries()) {
    precision = Math.max(precision, point.precision)
    area += (point.recall - (curve[curve.length - 2 - index]?.recall ?? 0)) * precision
  }
  return area
}

/**
 * Average precision of one class: the area under precision over recall. Precision is made monotone, and every point
 * counts (PASCAL VOC from 2010 on; COCO takes 101 points of the same curve). Detections of equal confidence count
 * together, so that the order of the pictures has no influence. null: there is no label.
 */
export function averagePrecision(pictures: readonly PictureBoxes[], minIou: number): number | null {
  const total = pictures.reduce((sum, { labels }) => sum + labels.length, 0)
  return total === 0 ? null : areaUnder(rank(pictures, minIou), new Uint16Array(pictures.length).fill(1), total)
}

const RESAMPLES = 1000

/**
 * The 95 % interval of the average precision: the middle 95 % of the values of resampled pictures (percentile
 * bootstrap; Efron, Annals of Statistics 7, 1979). Pictures of one scene make it too narrow. null: there is no label.
 */
export function averagePrecisionInterval(
  pictures: readonly PictureBoxes[],
  minIou: number,
  seed: number,
): { readonly de: number; readonly ate: number } | null {
  if (pictures.every(({ labels }) => labels.length === 0)) return null
  const ranked = rank(pictures, minIou)
  const random = xorshift(seed)
  const values: number[] = []
  while (values.length < RESAMPLES) {
    const times = new Uint16Array(pictures.length)
    for (let drawn = 0; drawn < pictures.length; drawn++) {
      const picture = Math.floor(random() * pictures.length)
      times[picture] = (times[picture] ?? 0) + 1
    }
    const total = pictures.reduce((sum, { labels }, index) => sum + labels.length * (times[index] ?? 0), 0)
    // A sample without labels has no average precision and is drawn again.
    if (total > 0) values.push(areaUnder(ranked, times, total))
  }
  values.sort((a, b) => a - b)
  return { de: values[Math.floor(0.025 * RESAMPLES)] ?? 0, ate: values[Math.ceil(0.975 * RESAMPLES) - 1] ?? 1 }
}

/** Mean of the average precisions at IoU 0.50, 0.55, … 0.95 (COCO's AP). null: there is no label. */
export function averagePrecision5095(pictures: readonly PictureBoxes[]): number | null {
  const values = Array.from({ length: 10 }, (_, step) => averagePrecision(pictures, 0.5 + step * 0.05))
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** Precision and recall of a camera with this confidence threshold (IoU 0.5). */
export function precisionRecall(pictures: readonly PictureBoxes[], conf: number): PrecisionRecall {
  const confident = pictures.map(({ labels, found }) => ({
    labels,
    found: found.filter(({ confianca }) => confianca >= conf),
  }))
  const judged = confident.flatMap((one) => matchBoxes(one, 0.5))
  const total = pictures.reduce((sum, { labels }) => sum + labels.length, 0)
  const certos = judged.filter(({ label }) => label !== null).length
  return {
    precisao: judged.length === 0 ? null : certos / judged.length,
    revocacao: total === 0 ? null : certos / total,
    certos,
    achados: judged.length,
  }
}
