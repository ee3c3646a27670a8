import type { Database } from '../../../db/open.ts'
import { countAtMost } from './count-store.ts'
import type { EventoFilter } from './filter-store.ts'

/** Bounds (`high` exclusive) of the ids of the events of `filter`, from the counts; null: there are none. */
export async function boundsOfPeriod(
  db: Database,
  filter: EventoFilter,
): Promise<{ readonly low: number; readonly high: number } | null> {
  const { total, menorId, maiorId } = await countAtMost(db, filter)
  return total === 0 ? null : { low: menorId, high: maiorId + 1 }
}
