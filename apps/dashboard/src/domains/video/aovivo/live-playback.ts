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
  /** Times of the keyframes in the buffer, ascending; seconds. */
  readonly keyframes: readonly number[]
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
/** A jump decodes the pictures since the keyframe: in a long group it may take this share of their time. */
const JUMP_SHARE = 0.1
/** Further away from the target, the player runs faster or slower. */
const TOLERANCE_S = 0.15
const FASTER = 1.1
/** As near as a jump would come, but still far behind. */
const CATCH_UP = 1.5
/** Restores the distance after a late part: otherwise the player would wait for each further part. */
const SLOWER = 0.9
/** Older pictures are removed. */
const KEPT_S = 10
/** Pictures are removed in steps, not one by one. */
const STEP_S = 5

/**
 * Keeps a player at the target. Behind a gap of the stream, and far behind, it jumps. A little away from the target, it
 * plays 10 % faster or slower. Pictures are removed up to a keyframe only: a browser also removes those that
 * depend on them, and then waits for the next keyframe.
 */
export function playbackOf({ ranges, position, target, keyframes }: PlaybackInput): Playback {
  const newest = ranges.at(-1)
  const oldest = ranges[0]
  if (!newest || !oldest) return { rate: 1, seekTo: null, removeBefore: null }
  const behind = newest.end - position
  const isOutside = position < newest.start || position > newest.end
  const keepFrom = keyframes.findLast((at) => at <= newest.end - KEPT_S) ?? oldest.start
  const removeBefore = keepFrom - oldest.start > STEP_S ? keepFrom : null
  const groupS = newest.end - (keyframes.findLast((at) => at <= newest.end) ?? newest.end)
  const far = FAR_S + JUMP_SHARE * groupS
  if (isOutside || behind > far) return { rate: 1, seekTo: Math.max(newest.start, newest.end - target), removeBefore }
  if (behind > FAR_S) return { rate: CATCH_UP, seekTo: null, removeBefore }
  const rate = behind > target + TOLERANCE_S ? FASTER : behind < target - TOLERANCE_S ? SLOWER : 1
  return { rate, seekTo: null, removeBefore }
}
