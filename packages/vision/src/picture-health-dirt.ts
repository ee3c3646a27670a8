/** Time constant of the mean detail, and length of one of the 24 parts of a day. */
const MEAN_TAU_MS = 10 * 60_000
const PART_MS = 3_600_000
const PARTS = 24
/** Parts with good light and clear air that a day must have before it is judged. */
const LEAST_PARTS = 20
/** The clearest day is forgotten with this time constant: leaves, other furniture. */
const FORGET_TAU_MS = 60 * 24 * 3_600_000
/** Detail of the clearest hour of a day, as fractions of the clearest day, for the values 0 and 1. */
const CLEAR = 0.6
const DIRTY = 0.45

/**
 * Dirt that grows on the lens within days or weeks: the clearest hour of the last day shows much less detail than the
 * clearest day. Fog and darkness end within a day. The value is 0 in the first day and after a restart.
 */
export function createDirtMonitor() {
  const parts = new Float64Array(PARTS)
  let mean = 0
  let meanMs = 0
  let partMs = 0
  let part = 0
  let count = 0
  let clearest = 0
  let value = 0

  return {
    /** `detail`: mean gradient of the picture. Returns 0–1. */
    dirty(detail: number, elapsedMs: number): number {
      meanMs += elapsedMs
      mean += (detail - mean) * Math.min(1, elapsedMs / Math.min(meanMs, MEAN_TAU_MS))
      partMs += elapsedMs
      if (meanMs >= MEAN_TAU_MS) parts[part] = Math.max(parts[part] as number, mean)
      if (partMs < PART_MS) return value
      partMs = 0
      count++
      if (count >= LEAST_PARTS) {
        const best = Math.max(...parts)
        clearest = Math.max(best, clearest * Math.exp(-PART_MS / FORGET_TAU_MS))
        value = Math.min(1, Math.max(0, (CLEAR - best / clearest) / (CLEAR - DIRTY)))
      }
      part = count % PARTS
      parts[part] = 0
      return value
    },
    /** The camera shows another view. */
    restart(): void {
      parts.fill(0)
      meanMs = 0
      count = 0
      clearest = 0
      value = 0
    },
  }
}
