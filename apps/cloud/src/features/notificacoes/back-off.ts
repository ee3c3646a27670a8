import { backoffMs } from '@vigia/runtime/backoff'

const FIRST_MS = 5_000
const HOUR_MS = 3_600_000

/** From the first try that failed on: a message that nobody took in a day is of no use any more. */
export const GIVE_UP_MS = 24 * HOUR_MS
export const LONGEST_WAIT_MS = HOUR_MS

/**
 * Milliseconds to wait after a number of failed tries in a row: 5 s, 10 s, … up to an hour, up to half as much again before
 * that, so that what failed together is not tried together.
 * @param jitter 0–1
 */
export const backOff = (tries: number, jitter: number, longestMs = LONGEST_WAIT_MS): number =>
  Math.min(
    longestMs,
    backoffMs(tries - 1, { minMs: FIRST_MS, maxMs: longestMs, jitter: [1, 1.5] }, () => jitter),
  )
