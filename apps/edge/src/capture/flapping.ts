/** Number of ends from which a period is known. */
const ENDS = 4
/** Largest difference of an interval from the mean. */
const TOLERANCE = 0.1
const TOLERANCE_MS = 2_000

export interface Flapping {
  /** A connection that had pictures has ended by itself. */
  ended(): void
  /** Mean time between the last ends in seconds; null: they are not regular, or the last one is long ago. */
  periodS(): number | null
}

/** Notices connections that end with a period: a session, a watchdog, a lease. `now`: monotonic ms. */
export function createFlapping(now: () => number): Flapping {
  const ends: number[] = []
  return {
    ended() {
      ends.push(now())
      if (ends.length > ENDS) ends.shift()
    },
    periodS() {
      const [first = 0] = ends
      const last = ends.at(-1) ?? 0
      if (ends.length < ENDS) return null
      const meanMs = (last - first) / (ENDS - 1)
      const allowedMs = Math.max(TOLERANCE_MS, meanMs * TOLERANCE)
      const intervals = ends.slice(1).map((end, index) => end - (ends[index] ?? 0))
      const isRegular = intervals.every((ms) => Math.abs(ms - meanMs) <= allowedMs)
      return isRegular && now() - last <= meanMs * 2 ? Math.max(1, Math.round(meanMs / 1000)) : null
    },
  }
}
