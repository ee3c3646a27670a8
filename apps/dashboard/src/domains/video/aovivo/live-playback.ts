/** Time ranges of a buffer, seconds. */
export interface BufferedRange {
  readonly start: number
  readonly end: number
}

export interface PlaybackInput {
  readonly ranges: readonly BufferedRange[]
  /** Position of the player, seconds. */
  readonly position: number
  /** Wanted distance from the newest picture, seconds; at least one part. */
  readonly target: number
}

export interface Playback {
  readonly rate: number
  /** Position to jump to; null: none. */
  readonly seekTo: number | null
  /** Everything before may be removed; null: nothing. */
  readonly removeBefore: number | null
}

/** Further behind, the player jumps. */
const FAR_S = 3
/** Further away from the target, the player runs faster or slower. */
const TOLERANCE_S = 0.15
const FASTER = 1.1
/** Restores the distance after a late part: otherwise the player would wait for each further part. */
const SLOWER = 0.9
/** Older pictures are removed. */
const KEPT_S = 10
/** Pictures are removed in steps, not one by one. */
const STEP_S = 5

/**
 * Keeps a player at the target. Behind a gap of the stream, and far behind, it jumps. A little away from the target, it
 * plays 10 % faster or slower.
 */
export function playbackOf({ ranges, position, target }: PlaybackInput): Playback {
  const newest = ranges.at(-1)
  const oldest = ranges[0]
  if (!newest || !oldest) return { rate: 1, seekTo: null, removeBefore: null }
  const behind = newest.end - position
  const isOutside = position < newest.start || position > newest.end
  const removeBefore = newest.end - oldest.start > KEPT_S + STEP_S ? newest.end - KEPT_S : null
  if (isOutside || behind > FAR_S) return { rate: 1, seekTo: Math.max(newest.start, newest.end - target), removeBefore }
  const rate = behind > target + TOLERANCE_S ? FASTER : behind < target - TOLERANCE_S ? SLOWER : 1
  return { rate, seekTo: null, removeBefore }
}
