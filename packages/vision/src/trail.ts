import type { Box } from '@vigia/ias/geometry'

/** Where an object was at one moment: stream ms, fractions of the frame. */
export interface TrailPoint {
  readonly atMs: number
  readonly box: Box
}

export interface Trail {
  /** The object was seen here. Calls come in order of time. */
  add(atMs: number, box: Box): void
  /** Oldest first; the last one is the last that was added. */
  points(): readonly TrailPoint[]
}

/** As many points as a candidate may carry. */
const MOST = 64

/**
 * The way of an object over its whole life in at most 64 points: when they are too many, every second one is dropped and from
 * then on points are kept at twice the distance in time. The first and the last are always there.
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
