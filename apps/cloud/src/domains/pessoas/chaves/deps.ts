import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'

export interface ChavesDeps {
  readonly db: Database
  readonly clock: Clock
  /** A key was deleted: open streams authenticate again. */
  readonly sessionEnded: () => void
}
