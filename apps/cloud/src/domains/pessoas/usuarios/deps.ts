import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Passwords } from './passwords.ts'

export interface UsuariosDeps {
  readonly db: Database
  readonly clock: Clock
  readonly passwords: Passwords
  /** Sessions were ended: open streams authenticate again. */
  readonly sessionEnded: () => void
}
