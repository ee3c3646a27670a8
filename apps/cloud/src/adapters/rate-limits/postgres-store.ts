import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { createPool } from '../../db/postgres-dialect.ts'
import type { CounterStore } from './store.ts'

/** Migration 0051 creates the table. */
const TABLE = 'limites_de_uso'

/** Counters in the database. A few connections of their own, so that a busy pool does not stop a sign-in. */
export function openPostgresStore(url: string, onIdleError: (error: Error) => void): CounterStore {
  const pool = createPool({ url, maxConnections: 2, onIdleError })
  return {
    limiter: (options) =>
      new RateLimiterPostgres({
        ...options,
        storeClient: pool,
        storeType: 'pool',
        tableName: TABLE,
        tableCreated: true,
        clearExpiredByTimeout: false,
      }),
    async prune(now) {
      await pool.query(`delete from ${TABLE} where expire <= $1`, [now])
    },
    close: () => pool.end(),
  }
}
