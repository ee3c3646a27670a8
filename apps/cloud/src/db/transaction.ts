import { settleMedia } from './media-bytes.ts'
import type { Database } from './open.ts'
import { isPostgres } from './postgres-dialect.ts'

/**
 * Runs `run` in a transaction, and once more if PostgreSQL ended it by a deadlock or a serialization failure. `run`
 * must not change anything outside the transaction before it returns.
 *
 * Isolation is READ COMMITTED. A transaction that decides by what it read therefore first locks the row of the
 * decision (locks.ts). The order of locks is Empresa, edge, camera, evento, counts, alert log, sums of bytes. SQLite
 * has one connection, on which transactions follow one another. They begin with the write lock (BEGIN IMMEDIATE),
 * because a command such as `vigia backup` is another process.
 */
export async function transact<T>(db: Database, run: (tx: Database) => Promise<T>): Promise<T> {
  const attempt = () =>
    db.transaction().execute(async (tx) => {
      const result = await run(tx)
      await settleMedia(tx)
      return result
    })
  try {
    return await attempt()
  } catch (error) {
    if (!isConflict(error)) throw error
    return await attempt()
  }
}

/** Runs several reads on one state of the database; `run` must not write. */
export const readSnapshot = <T>(db: Database, run: (tx: Database) => Promise<T>): Promise<T> => {
  const transaction = db.transaction().setAccessMode('read only')
  // SQLite has no other isolation.
  return (isPostgres(db) ? transaction.setIsolationLevel('repeatable read') : transaction).execute(run)
}

/**
 * `serialization_failure` and `deadlock_detected` of PostgreSQL, and `foreign_key_violation` of the search index:
 * another transaction has deleted an unused word (db/forget-terms.ts).
 */
const isConflict = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '40001' ||
    error.code === '40P01' ||
    (error.code === '23503' && 'table' in error && /^busca_/.test(String(error.table))))
