/** How many people are in one place, and whether that is a gathering. */
export interface Headcount {
  /** The next frame: `people` were counted in it. */
  follow(people: number, epochMs: number, streamMs: number): void
  /** At least as many as make a gathering were in most of the last frames. */
  gathered(): boolean
  /** The gathering, if there is one, was told of and has not dissolved. */
  isTold(): boolean
  tell(): void
  /** For the state: when the gathering that was told of was looked at last, epoch ms; null: there is none. */
  toldSeenAt(): number | null
}

/** A gathering has dissolved when there were too few people in it for this long, ms: some walk off and come back. */
const DISSOLVE_MS = 20_000
/** Longest time between two frames that counts as looked at, ms: an empty picture is looked at every ten seconds. */
const LOOK_MS = 12_000
/** Nobody looked for so long, ms (a restart, hours outside of the Agenda): what is there then is another gathering. */
const FORGET_MS = 600_000

/**
 * `frames` is the length of the window, `minimum` the people of a gathering; `toldAt` (epoch ms) continues one that was told of before a
 * restart. The count of a window is its median, the lower one of two: single frames do not matter. Time in which nobody looked dissolves nothing.
 */
export function createHeadcount(minimum: number, frames: number, toldAt: number | null): Headcount {
  let window: number[] = []
  let told = toldAt !== null
  let seenAt = toldAt ?? 0
  let lastMs: number | null = null
  let tooFewMs = 0

  const gathered = () => window.length === frames && window.filter((count) => count >= minimum).length > frames / 2

  return {
    follow(people, epochMs, streamMs) {
      const elapsed = lastMs === null ? Math.max(0, epochMs - seenAt) : streamMs - lastMs
      if (elapsed > FORGET_MS) told = false
      if (elapsed > LOOK_MS) window = []
      lastMs = streamMs
      seenAt = epochMs
      window = [...window, people].slice(-frames)
      tooFewMs = gathered() ? 0 : tooFewMs + (elapsed > LOOK_MS ? 0 : elapsed)
      if (tooFewMs > DISSOLVE_MS) told = false
    },
    gathered,
    isTold: () => told,
    tell() {
      told = true
      tooFewMs = 0
    },
    toldSeenAt: () => (told ? seenAt : null),
  }
}
