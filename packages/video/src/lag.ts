/** Tolerated lag, and the time above it after which pictures are dropped to catch up. */
const toleratedMs = 3000
const lagTimeoutMs = 5000
/**
 * Half of the window that determines the offset without lag. A camera clock with an error of one percent drifts by 0.6
 * s in the window.
 */
const halfWindowMs = 30_000

interface LagMeter {
  /** Returns true once after a lag of `lagTimeoutMs`; `timestampMs` is stream time, `wallMs` monotonic real time. */
  fallenBehind(timestampMs: number, wallMs: number): boolean
}

/**
 * Detects that this machine is too slow for a live stream: packets queue in the sockets and the age of the pictures
 * grows. A burst after a pause of the network catches up by itself and is not reported.
 */
export function createLagMeter(): LagMeter {
  let older = Number.POSITIVE_INFINITY
  let least = Number.POSITIVE_INFINITY
  let windowStart: number | null = null
  let behindSince: number | null = null
  return {
    fallenBehind(timestampMs, wallMs) {
      const offset = wallMs - timestampMs
      windowStart ??= wallMs
      if (wallMs - windowStart > halfWindowMs) {
        older = least
        least = offset
        windowStart = wallMs
      }
      least = Math.min(least, offset)
      if (offset - Math.min(least, older) <= toleratedMs) {
        behindSince = null
        return false
      }
      behindSince ??= wallMs
      if (wallMs - behindSince <= lagTimeoutMs) return false
      // The offset is measured again after the skip to a keyframe, so that a constant remaining lag causes no further
      // skips.
      older = Number.POSITIVE_INFINITY
      least = Number.POSITIVE_INFINITY
      windowStart = null
      behindSince = null
      return true
    },
  }
}
