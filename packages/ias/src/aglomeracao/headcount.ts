/** Number of people in one zone, and whether they form a gathering. */
export interface Headcount {
  /** Adds a frame in which `people` were counted. */
  follow(people: number, epochMs: number, streamMs: number): void
  /** Whether most of the last frames had at least the minimum number of people. */
  gathered(): boolean
  /** Whether an event was raised for a gathering that has not dissolved. */
  isAlerted(): boolean
  markAlerted(): void
  /** For the state: last frame of the alerted gathering, in epoch ms; null: none. */
  alertedSeenAt(): number | null
}

/** Time with too few people after which a gathering has dissolved: some people leave and come back. */
const DISSOLVE_MS = 20_000
/** Longest time between two frames that counts as observed: an empty picture is analysed every ten seconds. */
const OBSERVED_GAP_MS = 12_000
/** Longest gap in ms between frames of one gathering. Restarts and hours outside of the Agenda cause such gaps. */
const FORGET_MS = 600_000

/**
 * `frames`: length of the window. `minimum`: people of a gathering. `alertedAt` (epoch ms): continues a gathering that
 * was alerted before a restart. The count of a window is its lower median, so that single frames have no effect. Time
 * without frames does not dissolve a gathering.
 */
export function createHeadcount(minimum: number, frames: number, alertedAt: number | null): Headcount {
  let window: number[] = []
  let alerted = alertedAt !== null
  let seenAt = alertedAt ?? 0
  let lastMs: number | null = null
  let tooFewMs = 0

  const gathered = () => window.length === frames && window.filter((count) => count >= minimum).length > frames / 2

  return {
    follow(people, epochMs, streamMs) {
      const elapsed = lastMs === null ? Math.max(0, epochMs - seenAt) : streamMs - lastMs
      if (elapsed > FORGET_MS) alerted = false
      if (elapsed > OBSERVED_GAP_MS) window = []
      lastMs = streamMs
      seenAt = epochMs
      window = [...window, people].slice(-frames)
      tooFewMs = gathered() ? 0 : tooFewMs + (elapsed > OBSERVED_GAP_MS ? 0 : elapsed)
      if (tooFewMs > DISSOLVE_MS) alerted = false
    },
    gathered,
    isAlerted: () => alerted,
    markAlerted() {
      alerted = true
      tooFewMs = 0
    },
    alertedSeenAt: () => (alerted ? seenAt : null),
  }
}
