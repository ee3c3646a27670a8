export interface Clocks {
  /** Wall clock of this edge, in epoch ms. */
  now(): number
  /** Monotonic time in ms with any origin. */
  monotonic(): number
}

export interface ClockReading {
  readonly wall: number
  readonly mono: number
  /** Wall clock minus monotonic clock: it changes when the wall clock is set. */
  readonly ahead: number
}

/** A larger step between the two clocks means that the wall clock was set. */
export const JUMP_MS = 100
/** Largest time for reading both clocks; when the process was suspended in between, both are read again. */
const SAME_MOMENT_MS = 5

/** Reads both clocks at one moment. */
export function readClocks({ now, monotonic }: Clocks): ClockReading {
  for (let attempt = 1; ; attempt++) {
    const before = monotonic()
    const wall = now()
    const after = monotonic()
    if (after - before > SAME_MOMENT_MS && attempt < 5) continue
    const mono = (before + after) / 2
    return { wall, mono, ahead: wall - mono }
  }
}
