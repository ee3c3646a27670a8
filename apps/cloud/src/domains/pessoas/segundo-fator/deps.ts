import type { PasswordDeps } from '../usuarios/require-password.ts'
import type { CheckFactorDeps } from './check-factor.ts'

export interface SegundoFatorDeps extends CheckFactorDeps, PasswordDeps {
  /** Sessions were ended: open streams authenticate again. */
  readonly sessionEnded: () => void
}
