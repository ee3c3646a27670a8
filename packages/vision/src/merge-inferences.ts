import type { Detection } from '@vigia/ias/detection'
import { type Box, intersection, iou } from '@vigia/ias/geometry'
import { interchangeable } from './coco-labels.ts'

/** Detections of one inference. Boxes are fractions of the frame, also for a region. */
export interface InferenceResult {
  /** The region of the inference; null: the whole frame. */
  readonly region: Box | null
  readonly detections: readonly Detection[]
}

/** A box that ends this near to the border of its region, as a fraction of the region, is cut. */
const AT_BORDER = 0.015
/** IoU above which boxes of two inferences are one object. */
const SAME = 0.5
/**
 * A box is part of another inference's box of that label if this fraction lies in it. Its area must be at least
 * PART_SIZE of the other.
 */
const PART = 0.85
const PART_SIZE = 0.25

/**
 * Merges the detections of several inferences on one frame; most confident first. Boxes cut by the border of a region
 * are dropped: the whole frame, or a later region around the object, shows it whole. The more confident box of an
 * object in two inferences stays. Boxes of one inference are never merged.
 */
export function mergeInferences(inferences: readonly InferenceResult[]): Detection[] {
  const found = inferences.flatMap(({ region, detections }, inference) =>
    detections.flatMap((detection) => (region && isCut(detection, region) ? [] : [{ detection, inference }])),
  )
  const kept: typeof found = []
  for (const candidate of found.toSorted((a, b) => b.detection.confianca - a.detection.confianca)) {
    if (
      !kept.some((other) => other.inference !== candidate.inference && isSame(other.detection, candidate.detection))
    ) {
      kept.push(candidate)
    }
  }
  return kept.map(({ detection }) => detection)
}

/** Whether the box ends at a border of the region that is not the border of the frame. */
function isCut(box: Box, region: Box): boolean {
  const [nearX, nearY] = [region.w * AT_BORDER, region.h * AT_BORDER]
  return (
    (region.x > 0 && box.x - region.x < nearX) ||
    (region.y > 0 && box.y - region.y < nearY) ||
    (region.x + region.w < 1 - 1e-9 && region.x + region.w - box.x - box.w < nearX) ||
    (region.y + region.h < 1 - 1e-9 && region.y + region.h - box.y - box.h < nearY)
  )
}

function isSame(a: Detection, b: Detection): boolean {
  if (!interchangeable(a.rotulo, b.rotulo)) return false
  if (iou(a, b) > SAME) return true
  const [areaA, areaB] = [a.w * a.h, b.w * b.h]
  const smaller = Math.min(areaA, areaB)
  return smaller >= Math.max(areaA, areaB) * PART_SIZE && intersection(a, b) >= smaller * PART
}
