/** One time line for a camera: monotonic across reconnections, spaced by the stream's own timestamps. */
export interface Timeline {
  /** A new connection: its timestamps begin anywhere. */
  reconnect(): void
  /** Time of a frame on the line, ms; never goes back. */
  at(timestampMs: number, nowMs: number): number
}

/** A frame that seems to be ahead of its arrival shows that the line was tied too late; it is drawn back by at most this share of the time that passes. */
const DRAW_BACK = 0.2
/** Recorders' clocks jump. A frame that seems this far from its arrival is put where it arrived. */
const MAX_DRIFT_MS = 5_000

/**
 * Frames of a live stream arrive in bursts, so that speeds are better measured on the stream's timestamps than on arrival; but
 * these begin anew with each connection and can not be trusted far. The line is tied to the monotonic clock at each beginning, and drawn
 * back gently while frames seem to come before they were taken: what a recorder sends first it has often kept for a second or two.
 */
export function createTimeline(): Timeline {
  let offsetMs: number | null = null
  let lastMs = Number.NEGATIVE_INFINITY
  let lastTimestampMs = 0
  return {
    reconnect: () => {
      offsetMs = null
    },
    at(timestampMs, nowMs) {
      if (offsetMs === null || Math.abs(timestampMs + offsetMs - nowMs) > MAX_DRIFT_MS) offsetMs = nowMs - timestampMs
      const aheadMs = timestampMs + offsetMs - nowMs
      if (aheadMs > 0) offsetMs -= Math.min(aheadMs, Math.max(0, timestampMs - lastTimestampMs) * DRAW_BACK)
      lastTimestampMs = timestampMs
      lastMs = Math.max(lastMs, timestampMs + offsetMs)
      return lastMs
    },
  }
}

/**
 * When on the edge clock (epoch ms, as it is set now) a frame at `streamMs` of the line was taken: two frames are as far apart on it as on the
 * line, however late each of them arrived. Never ahead of `epochNowMs`.
 */
export const takenAt = (streamMs: number, nowMs: number, epochNowMs: number): number =>
  epochNowMs - Math.max(0, nowMs - streamMs)
