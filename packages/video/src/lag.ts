/** How far pictures may run behind, and for how long, before catching up is worth the loss of some of them. */
const toleratedMs = 3000
const patienceMs = 5000
/** Half of the time over which "not behind" is learnt; a camera whose clock runs a percent slow drifts 0.6 s in it. */
const halfWindowMs = 30_000

interface LagMeter {
  /** True once when pictures have run behind for a while; `timestampMs` is stream time, `wallMs` monotonic real time. */
  fallenBehind(timestampMs: number, wallMs: number): boolean
}

/**
 * Notices that this machine does not keep up with a live stream: then packets queue up in the sockets and every picture is older
 * than the one before. A burst after a pause of the network catches up by itself and is left alone.
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
      if (wallMs - behindSince <= patienceMs) return false
      // What remains after the leap to a keyframe is taken as the new normal, so that it is not repeated for ever.
      older = Number.POSITIVE_INFINITY
      least = Number.POSITIVE_INFINITY
      windowStart = null
      behindSince = null
      return true
    },
  }
}
