import type { Detection } from '@vigia/ias/detection'
import { type Box, intersection, iou } from '@vigia/ias/geometry'
import { interchangeable } from './coco-labels.ts'

/** What one look found. Boxes are fractions of the frame, whatever was looked at. */
export interface LookResult {
  /** The part of the frame that was looked at; null: the whole of it. */
  readonly region: Box | null
  readonly detections: readonly Detection[]
}

/** A box that ends this near to the border of its region, as a fraction of the region, goes on outside. */
const AT_BORDER = 0.015
/** Boxes of two looks that cover each other this much (IoU) are one object. */
const SAME = 0.5
/** A box of this much of which lies in another look's box of the same label, and which is not much smaller, is a part of it. */
const PART = 0.85
const PART_SIZE = 0.25

/**
 * One list of the objects that several looks at one frame found, most confident first. What the border of an enlarged look cuts
 * is left out: the whole frame shows it whole, or a look that is planned around it will. Of an object seen in two looks the more
 * confident box stays; what one look alone tells apart stays apart.
 */
export function mergeLooks(looks: readonly LookResult[]): Detection[] {
  const found = looks.flatMap(({ region, detections }, look) =>
    detections.flatMap((detection) => (region && isCut(detection, region) ? [] : [{ detection, look }])),
  )
  const kept: typeof found = []
  for (const candidate of found.toSorted((a, b) => b.detection.confianca - a.detection.confianca)) {
    if (!kept.some((other) => other.look !== candidate.look && isSame(other.detection, candidate.detection))) {
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
