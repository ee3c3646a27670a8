/**
 * Stops the scene of one channel at a keyframe: all clients get this picture again and again. For tests in which a
 * person must not walk on until a program has restarted.
 */
export interface PausePoint {
  /** Sets the keyframe, ms from the beginning of the loop. `onReached` is called when a client reaches it. */
  set(positionMs: number, onReached: () => void): void
  /** The scene continues from the keyframe. */
  clear(): void
  /** Whether a client that is at this keyframe of the loop stays there. */
  stopsAt(positionMs: number): boolean
  /** Time since the beginning of the channel's first loop, without the pauses, ms. */
  positionMs(): number
}

/** @param now monotonic clock, ms; the channel begins at the first call */
export function createPausePoint(now: () => number, startedAt = now()): PausePoint {
  /** Difference between position and clock, ms. */
  let offsetMs = -startedAt
  let point: { readonly positionMs: number; readonly onReached: () => void } | null = null
  let isReached = false

  return {
    set(positionMs, onReached) {
      point = { positionMs, onReached }
      isReached = false
    },
    clear() {
      if (point && isReached) offsetMs = point.positionMs - now()
      point = null
      isReached = false
    },
    stopsAt(positionMs) {
      if (!point || Math.abs(positionMs - point.positionMs) >= 1) return false
      if (!isReached) {
        isReached = true
        point.onReached()
      }
      return true
    },
    // The fraction of a millisecond keeps rounding from selecting the keyframe before.
    positionMs: () => (point && isReached ? point.positionMs + 0.5 : now() + offsetMs),
  }
}
