import type { Detection } from '@vigia/ias/detection'
import { iou } from '@vigia/ias/geometry'
import { associate } from '../association.ts'
import type { Followed } from './mot-score.ts'

/** The baseline tracker: the box of the last detection, IoU at least 0.3, kept for two seconds. */
export function createIouTracker(minConfidence: number) {
  let tracks: { id: number; last: Detection; seenMs: number }[] = []
  let nextId = 1
  return (detections: readonly Detection[], atMs: number): Followed[] => {
    tracks = tracks.filter(({ seenMs }) => atMs - seenMs <= 2_000)
    const found = detections.filter(({ confianca }) => confianca >= minConfidence)
    const { pairs, rights } = associate(
      tracks,
      found,
      (track, detection) => (track.last.rotulo === detection.rotulo ? iou(track.last, detection) : 0),
      0.3,
    )
    for (const { left, right } of pairs) {
      left.last = right
      left.seenMs = atMs
    }
    tracks.push(...rights.map((last) => ({ id: nextId++, last, seenMs: atMs })))
    return tracks
      .filter(({ seenMs }) => seenMs === atMs)
      .map(({ id, last }) => ({ id, rotulo: last.rotulo, box: last }))
  }
}
