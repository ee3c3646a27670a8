/** Estimates the time of a source from arrivals. */
export interface ArrivalClock {
  /** Takes the arrival of a packet: its time by the source, and monotonic time, in ms. */
  arrived(sourceMs: number, now: number): void
  /** The time of the source at `now`, as if nothing were delayed; null: nothing has arrived. */
  at(now: number): number | null
}

/** The clocks of a camera and of this machine drift apart by less. */
const DRIFT = 0.001
/** A larger delay is a new timeline of the source. */
const LARGEST_DELAY_MS = 2_000

/** Packets arrive late, never early: the least delay counts. It may grow by the drift of the clocks. */
export function createArrivalClock(): ArrivalClock {
  let offsetMs: number | null = null
  let lastAt = 0
  return {
    arrived(sourceMs, now) {
      const seenMs = now - sourceMs
      const grownMs: number = offsetMs === null ? seenMs : offsetMs + (now - lastAt) * DRIFT
      lastAt = now
      offsetMs = seenMs - grownMs > LARGEST_DELAY_MS ? seenMs : Math.min(seenMs, grownMs)
    },
    at: (now) => (offsetMs === null ? null : now - offsetMs),
  }
}
