import type { Box } from '@vigia/ias/geometry'
import { iou } from '@vigia/ias/geometry'

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

interface Judged {
  readonly confianca: number
  readonly correct: boolean
}

/**
 * Marks the correct detections of one picture. In order of confidence, each detection takes the free label that it
 * covers best. A second box on the same object is wrong (PASCAL VOC devkit 2010, section 3.4; COCO does the same).
 */
function judge({ labels, found }: PictureBoxes, minIou: number): Judged[] {
  const free = new Set(labels)
  const overlaps = new Map(found.map((box) => [box, Math.max(0, ...labels.map((label) => iou(box, label)))]))
  const order = found.toSorted((a, b) => b.confianca - a.confianca || (overlaps.get(b) ?? 0) - (overlaps.get(a) ?? 0))
  return order.map((box) => {
    let best: Box | null = null
    for (const label of free) {
      const overlap = iou(box, label)
      if (overlap >= minIou && (best === null || overlap > iou(box, best))) best = label
    }
    if (best) free.delete(best)
    return { confianca: box.confianca, correct: best !== null }
  })
}

/**
 * Average precision of one class: the area under precision over recall. Precision is made monotone, and every point
 * counts (PASCAL VOC from 2010 on; COCO takes 101 points of the same curve). Detections of equal confidence count
 * together, so that the order of the pictures has no influence. null: there is no label.
 */
export function averagePrecision(pictures: readonly PictureBoxes[], minIou: number): number | null {
  const total = pictures.reduce((sum, { labels }) => sum + labels.length, 0)
  if (total === 0) return null
  const judged = pictures.flatMap((one) => judge(one, minIou)).toSorted((a, b) => b.confianca - a.confianca)
  const curve: { recall: number; precision: number }[] = []
  let correct = 0
  for (const [index, one] of judged.entries()) {
    if (one.correct) correct += 1
    if (judged[index + 1]?.confianca !== one.confianca)
      curve.push({ recall: correct / total, precision: correct / (index + 1) })
  }
  let area = 0
  let precision = 0
  for (const [index, point] of curve.toReversed().entries()) {
    precision = Math.max(precision, point.precision)
    area += (point.recall - (curve[curve.length - 2 - index]?.recall ?? 0)) * precision
  }
  return area
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
  const judged = confident.flatMap((one) => judge(one, 0.5))
  const total = pictures.reduce((sum, { labels }) => sum + labels.length, 0)
  const certos = judged.filter(({ correct }) => correct).length
  return {
    precisao: judged.length === 0 ? null : certos / judged.length,
    revocacao: total === 0 ? null : certos / total,
    certos,
    achados: judged.length,
  }
}
