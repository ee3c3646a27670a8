import type { Database } from './open.ts'

/** Distinguishes a blocked database from a busy one. */
export interface Pulse {
  /** Call it after each query. */
  onQuery(): void
  /** Resolves after the next query, or after its own read; pending while no query ends. */
  next(db: Database): Promise<void>
}

/**
 * Any finished query counts: its own read also waits behind a long queue, which a restart would only lengthen. All
 * queries wait behind a blocked transaction.
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
        // A failed read counts as an answer: a restart cannot repair a disk.
        db.selectFrom('usuarios').select('id').limit(1).execute().then(done, done)
      }
      await ended.promise
    },
  }
}
