import { type ClockReading, type Clocks, JUMP_MS, readClocks } from './clock-reading.ts'

/** The settings of the wall clock since the program started. */
export interface ClockSettings {
  /** Reads both clocks, and detects that the wall clock was set since the last call. */
  read(): ClockReading
  /** Whether the wall clock was set. */
  readonly wasSet: boolean
  /** Wall clock minus monotonic clock when the wall clock gave this time. */
  aheadAt(wallMs: number): number
}

/** From `since` (monotonic) on, wall clock minus monotonic clock is `ahead`. */
interface Setting {
  readonly since: number
  readonly ahead: number
}

/** A frame may be this much younger than the clock reading of another process. */
const AHEAD_OF_US_MS = 1_000
/** Settings of the wall clock that a frame under way may still refer to. */
const MOST_SETTINGS = 8

/** @param onSet called with the change of the wall clock, in ms */
export function createClockSettings(clocks: Clocks, onSet: (ms: number) => void): ClockSettings {
  let reading = readClocks(clocks)
  let newest: Setting = { since: Number.NEGATIVE_INFINITY, ahead: reading.ahead }
  /** Oldest first. */
  let former: readonly Setting[] = []

  return {
    read() {
      const before = reading
      reading = readClocks(clocks)
      const { ahead } = reading
      const changeMs = ahead - newest.ahead
      if (Math.abs(changeMs) > JUMP_MS) {
        former = [...former, newest].slice(1 - MOST_SETTINGS)
        newest = { since: before.mono, ahead }
        onSet(changeMs)
      }
      // Slow corrections of a time service change the setting in force.
      else newest = { ...newest, ahead }
      return reading
    },
    get wasSet() {
      return former.length > 0
    },
    aheadAt(wallMs) {
      const isUnder = ({ since, ahead }: Setting) => {
        const mono = wallMs - ahead
        return mono >= since && mono <= reading.mono + AHEAD_OF_US_MS
      }
      // The newest setting counts for an hour that repeats.
      return ([...former, newest].findLast(isUnder) ?? newest).ahead
    },
  }
}
