import type { Database } from './open.ts'

/** Tells a database that stands still from one that is busy. */
export interface Pulse {
  /** To be called after each query. */
  onQuery(): void
  /** Resolves after the next query, at the latest after a read of its own; pending for as long as no query ends. */
  next(db: Database): Promise<void>
}

/**
 * Any query counts: behind a long queue a read of its own waits, too, and a restart would only make that queue longer. Behind a transaction
 * that never ends, all queries wait.
 */
export function createPulse(): Pulse {
  let ended = Promise.withResolvers<void>()
  let isReading = false
  return {
    onQuery: () => ended.resolve(),
    next: async (db) => {
      ended = Promise.withResolvers()
      if (!isReading) {
        isReading = true
        const done = () => {
          isReading = false
          ended.resolve()
        }
        // A failed read is an answer, too: a restart mends no disk.
        db.selectFrom('usuarios').select('id').limit(1).execute().then(done, done)
      }
      await ended.promise
    },
  }
}
