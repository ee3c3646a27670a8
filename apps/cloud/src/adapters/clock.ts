/** Wall clock, epoch ms (UTC). Passed in wherever time decides something, so that tests can move it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
