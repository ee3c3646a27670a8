import type { FailureLimit } from '../../adapters/rate-limits/interface.ts'
import type { Passwords } from '../usuarios/passwords.ts'
import type { CheckFactorDeps } from './check-factor.ts'

export interface SegundoFatorDeps extends CheckFactorDeps {
  readonly passwords: Passwords
  /** Wrong passwords. */
  readonly loginLimit: FailureLimit
  /** Sessions were ended: open streams authenticate again. */
  readonly sessionEnded: () => void
}
