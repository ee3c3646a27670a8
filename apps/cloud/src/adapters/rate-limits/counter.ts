import { createHash } from 'node:crypto'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes, RateLimiterSQLite } from 'rate-limiter-flexible'
import type { Budget } from './budgets.ts'
import type { CounterStore } from './store.ts'

/** Uses of keys within a budget. Times are ms until the key's window ends. */
export interface Counter {
  readonly budget: Budget
  /** Counts one use; null: it was within the budget. */
  count(key: string): Promise<number | null>
  /** null: the key has a use left. */
  exhausted(key: string): Promise<number | null>
  /** Uses the key up, for a window that begins now. */
  exhaust(key: string): Promise<void>
  /** The key has its whole budget again. */
  forget(key: string): Promise<void>
}

interface CounterDeps {
  /** Tells the counters of different budgets apart in the store. */
  readonly name: string
  readonly budget: Budget
  /** null: this process's memory alone. */
  readonly store: CounterStore | null
  /** Told of every use of the store that shows something: null when it took a count, or why it failed. */
  readonly report: (error: unknown) => void
}

/**
 * While the store fails, counts go on in the memory of this process: nobody is locked out, and nobody may guess without
 * limit. Keys are stored as hashes: people type passwords where a name belongs.
 */
export function createCounter({ name, budget, store, report }: CounterDeps): Counter {
  const options = { keyPrefix: name, points: budget.uses, duration: budget.windowS }
  const memory = new RateLimiterMemory(options)
  const stored =
    store &&
    new RateLimiterSQLite({
      ...options,
      storeClient: store.client,
      storeType: 'better-sqlite3',
      tableName: store.table,
      tableCreated: true,
    })

  const run = async <T>(use: (limiter: RateLimiterAbstract) => Promise<T>, writes = true): Promise<T> => {
    if (!stored) return use(memory)
    try {
      const result = await use(stored)
      // A store that answers reads may be full all the same.
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
      // What could not be written there was counted in memory.
      return (await run(waitMs, false)) ?? (await waitMs(memory))
    },
    async exhaust(key) {
      await run((limiter) => limiter.set(digest(key), budget.uses, budget.windowS))
    },
    async forget(key) {
      await memory.delete(digest(key))
      // Where there is nothing to delete, nothing is written.
      await run((limiter) => limiter.delete(digest(key)), false)
    },
  }
}

const digest = (key: string): string => createHash('sha256').update(key).digest('base64url')
