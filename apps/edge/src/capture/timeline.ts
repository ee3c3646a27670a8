/** One time line for a camera: monotonic across reconnections, spaced by the stream's own timestamps. */
export interface Timeline {
  /** A new connection: its timestamps begin anywhere. */
  reconnect(): void
  /** Time of a frame on the line, ms; never goes back. */
  at(timestampMs: number, nowMs: number): number
}

/** Recorders' clocks jump. A frame that seems this far from its arrival is put where it arrived. */
const MAX_DRIFT_MS = 5_000

/**
 * Frames of a live stream arrive in bursts, so that speeds are better measured on the stream's timestamps than on arrival; but
 * these begin anew with each connection and can not be trusted far. The line is tied to the monotonic clock at each beginning.
 */
export function createTimeline(): Timeline {
  let offsetMs: number | null = null
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    reconnect: () => {
      offsetMs = null
    },
    at(timestampMs, nowMs) {
      if (offsetMs === null || Math.abs(timestampMs + offsetMs - nowMs) > MAX_DRIFT_MS) offsetMs = nowMs - timestampMs
      lastMs = Math.max(lastMs, timestampMs + offsetMs)
      return lastMs
    },
  }
}
