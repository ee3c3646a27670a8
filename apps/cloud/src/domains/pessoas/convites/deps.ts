import type { Clock } from '../../../adapters/clock.ts'
import type { FailureLimit, RateLimit } from '../../../adapters/rate-limits/interface.ts'
import type { Database } from '../../../db/open.ts'
import type { Passwords } from '../usuarios/passwords.ts'

export interface ConvitesDeps {
  readonly db: Database
  readonly clock: Clock
  readonly passwords: Passwords
  readonly dominioNeutro: string | null
  /** Public origin of the installation; null: that of the request. */
  readonly urlPublica: string | null
  /** Created invitations. */
  readonly limit: RateLimit
  /** Unknown tokens. */
  readonly tokenLimit: FailureLimit
}
