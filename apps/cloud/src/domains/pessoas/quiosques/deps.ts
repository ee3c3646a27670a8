import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'

export interface QuiosquesDeps {
  readonly db: Database
  readonly clock: Clock
  /** VIGIA_COOKIE_SECURE: sets Secure also for requests without HTTPS. */
  readonly cookieSecure: boolean
  /** Sessions were ended: open streams authenticate again. */
  readonly sessionEnded: () => void
}
