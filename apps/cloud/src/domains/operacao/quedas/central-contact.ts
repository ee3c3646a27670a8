import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { findCentralContact, insertCentralQueda, writeCentralContact } from './store.ts'

/** Interval of the writes. */
const EVERY_MS = 10_000
/** Shortest absence that is a queda; a restart takes less. */
const ABSENT_MS = 60_000

/**
 * Records that the cloud runs, and at the first call of a process the time without any process as a queda. Later gaps
 * are none, because a clock that is set forward has the same effect.
 * @returns a function for each check. `now`: epoch ms. `at`: monotonic ms.
 */
export function createCentralContact(db: Database): (now: number, at: number) => Promise<void> {
  let writtenAt: number | null = null
  return async (now, at) => {
    if (writtenAt !== null && at - writtenAt < EVERY_MS) return
    const isFirst = writtenAt === null
    await transact(db, async (tx) => {
      const before = await findCentralContact(tx)
      const isWritten = await writeCentralContact(tx, before, now)
      if (isWritten && isFirst && before !== null && now - before >= ABSENT_MS)
        await insertCentralQueda(tx, { inicio: before, fim: now })
    })
    writtenAt = at
  }
}
