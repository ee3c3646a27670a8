import type { IRateLimiterOptions, RateLimiterStoreAbstract } from 'rate-limiter-flexible'

/** Stored counters that all processes of this installation share. */
export interface CounterStore {
  limiter(options: IRateLimiterOptions): RateLimiterStoreAbstract
  /** Deletes windows that have ended. @param now epoch ms */
  prune(now: number): Promise<void> | void
  close(): Promise<void> | void
}
