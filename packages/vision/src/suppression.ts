import type { Detection } from '@vigia/ias/detection'
import { iou } from '@vigia/ias/geometry'
import { interchangeable } from './coco-labels.ts'

/**
 * Non-maximum suppression: of detections with an IoU above `maxIou` the most confident one stays. Different labels
 * suppress each other only if they may be one object (car, truck, bus). Sorted by confidence, at most `limit`.
 */
export function suppress(detections: readonly Detection[], maxIou: number, limit = 200): Detection[] {
  const kept: Detection[] = []
  for (const candidate of detections.toSorted((a, b) => b.confianca - a.confianca)) {
    if (kept.length === limit) break
    const repeated = kept.some(
      (other) => interchangeable(other.rotulo, candidate.rotulo) && iou(other, candidate) > maxIou,
    )
    if (!repeated) kept.push(candidate)
  }
  return kept
}
