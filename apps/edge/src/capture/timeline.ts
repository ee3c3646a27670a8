/** One timeline for a camera: monotonic across reconnections, with the intervals of the stream's timestamps. */
export interface Timeline {
  /** Starts a new connection, whose timestamps have a new origin. */
  reconnect(): void
  /** Time of a frame on the timeline, in ms; never decreases. */
  at(timestampMs: number, arrivedAt: number): number
}

/**
 * A frame ahead of its arrival shows that the origin was set too late. The correction is at most this share of the
 * elapsed time.
 */
const DRAW_BACK = 0.2
/** Recorders' clocks jump. A frame further than this from its arrival is set to its arrival time. */
const MAX_DRIFT_MS = 5_000

/**
 * Frames of a live stream arrive in bursts, so that speeds are more exact with the stream's timestamps than with
 * arrival times. Timestamps restart with each connection and drift. At each connection the timeline is aligned with the
 * monotonic clock. It is corrected gradually while frames appear earlier than possible: recorders often begin with one
 * or two seconds of buffered frames.
 */
export function createTimeline(): Timeline {
  let offsetMs: number | null = null
  let lastMs = Number.NEGATIVE_INFINITY
  let lastTimestampMs = 0
  return {
    reconnect: () => {
      offsetMs = null
    },
    at(timestampMs, arrivedAt) {
      if (offsetMs === null || Math.abs(timestampMs + offsetMs - arrivedAt) > MAX_DRIFT_MS)
        offsetMs = arrivedAt - timestampMs
      const aheadMs = timestampMs + offsetMs - arrivedAt
      if (aheadMs > 0) offsetMs -= Math.min(aheadMs, Math.max(0, timestampMs - lastTimestampMs) * DRAW_BACK)
      lastTimestampMs = timestampMs
      lastMs = Math.max(lastMs, timestampMs + offsetMs)
      return lastMs
    },
  }
}

/**
 * Time on the edge clock (epoch ms, as currently set) at which a frame at `streamMs` of the timeline was taken. Two
 * frames keep their distance on the timeline, however late each arrived. Never later than `now`.
 */
export const takenAt = (streamMs: number, monotonicMs: number, now: number): number =>
  now - Math.max(0, monotonicMs - streamMs)
