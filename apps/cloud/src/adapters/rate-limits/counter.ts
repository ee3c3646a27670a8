import { createHash } from 'node:crypto'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Budget } from './budgets.ts'
import type { CounterStore } from './store.ts'

/** Counts uses of keys within a budget. Results are ms until the end of the key's window. */
export interface Counter {
  readonly budget: Budget
  /** Counts one use; null: within the budget. */
  count(key: string): Promise<number | null>
  /** null: the key has uses left. */
  exhausted(key: string): Promise<number | null>
  /** Exhausts the key for a window that starts now. */
  exhaust(key: string): Promise<void>
  /** Restores the full budget of the key. */
  forget(key: string): Promise<void>
}

interface CounterDeps {
  /** Prefix of the budget's counters in the store. */
  readonly name: string
  readonly budget: Budget
  /** null: counts only in the memory of this process. */
  readonly store: CounterStore | null
  /** Called after uses of the store: null after a stored count, else the error. */
  readonly report: (error: unknown) => void
}

/**
 * While the store fails, counts continue in the memory of this process, so that logins work and guessing stays limited.
 * Keys are stored as hashes, because users sometimes type a password into the name field.
 */
export function createCounter({ name, budget, store, report }: CounterDeps): Counter {
  const options = { keyPrefix: name, points: budget.uses, duration: budget.windowS }
  const memory = new RateLimiterMemory(options)
  const stored = store?.limiter(options)

  const run = async <T>(use: (limiter: RateLimiterAbstract) => Promise<T>, writes = true): Promise<T> => {
    if (!stored) return use(memory)
    try {
      const result = await use(stored)
      // A successful read does not prove that the store can be written.
      if (writes) report(null)
      return result
    } catch (error) {
      report(error)
      return use(memory)
    }
  }

  return {
    budget,
    count: (key) =>
      run((limiter) =>
        limiter.consume(digest(key)).then(
          () => null,
          (refusal: unknown) => {
            if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext
            throw refusal
          },
        ),
      ),
    async exhausted(key) {
      const waitMs = async (limiter: RateLimiterAbstract) => {
        const used = await limiter.get(digest(key))
        return used && used.consumedPoints >= budget.uses && used.msBeforeNext > 0 ? used.msBeforeNext : null
      }
      // Counts that could not be stored are in memory.
      return (await run(waitMs, false)) ?? (await waitMs(memory))
    },
    async exhaust(key) {
      await run((limiter) => limiter.set(digest(key), budget.uses, budget.windowS))
    },
    async forget(key) {
      await memory.delete(digest(key))
      // A success does not prove that the store works: without a row to delete, nothing is written.
      await run((limiter) => limiter.delete(digest(key)), false)
    },
  }
}

const digest = (key: string): string => createHash('sha256').update(key).digest('base64url')
