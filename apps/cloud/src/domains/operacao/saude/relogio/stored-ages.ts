import type { Clock } from '../../../../adapters/clock.ts'
import type { Database } from '../../../../db/open.ts'
import { readAges } from './store.ts'

/** The time of ages for a command beside the service: it does not run on. */
export async function readStoredAges(db: Database, clock: Clock): Promise<Clock> {
  const stored = (await readAges(db))?.time ?? 0
  return { now: () => Math.floor(Math.min(clock.now(), stored)) }
}
