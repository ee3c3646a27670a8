/** Wall clock in epoch ms (UTC). Injected wherever the code depends on time, so that tests can change it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
