import type { Box } from '@vigia/ias/geometry'

/** Position of an object at one time: stream ms, in fractions of the frame. */
export interface TrailPoint {
  readonly atMs: number
  readonly box: Box
}

export interface Trail {
  /** Adds a detection of the object. Times must not decrease. */
  add(atMs: number, box: Box): void
  /** Oldest first, including the last added point. */
  points(): readonly TrailPoint[]
}

/** Limit of points in a candidate. */
const MOST = 64

/**
 * The path of an object over its whole life in at most 64 points. At the limit every second point is dropped and the
 * time between points doubles. The first and the last point are always included.
 */
export function createTrail(): Trail {
  let kept: TrailPoint[] = []
  let last: TrailPoint | null = null
  let stepMs = 0

  return {
    add(atMs, box) {
      last = { atMs, box }
      const before = kept.at(-1)
      if (before && atMs - before.atMs < stepMs) return
      kept.push(last)
      if (kept.length < MOST) return
      kept = kept.filter((_, index) => index % 2 === 0)
      stepMs = ((atMs - (kept[0]?.atMs ?? atMs)) / MOST) * 2
    },
    points: () => (last && kept.at(-1) !== last ? [...kept, last] : [...kept]),
  }
}
