import { backoffMs } from '@vigia/runtime/backoff'

const FIRST_MS = 5_000
const HOUR_MS = 3_600_000

/** Time from the first failed attempt to abandonment; a message is useless after one day. */
export const GIVE_UP_MS = 24 * HOUR_MS
export const LONGEST_WAIT_MS = HOUR_MS

/**
 * Returns the wait in ms after consecutive failed attempts: 5 s, 10 s, … up to an hour. Jitter of up to 50% below the
 * maximum spreads simultaneous failures.
 * @param jitter 0–1
 */
export const backOff = (tries: number, jitter: number, longestMs = LONGEST_WAIT_MS): number =>
  Math.min(
    longestMs,
    backoffMs(tries - 1, { minMs: FIRST_MS, maxMs: longestMs, jitter: [1, 1.5] }, () => jitter),
  )
