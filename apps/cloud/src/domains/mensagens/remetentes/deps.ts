import type { Clock } from '../../../adapters/clock.ts'
import type { RateLimit } from '../../../adapters/rate-limits/interface.ts'
import type { Senders } from '../../../adapters/senders/interface.ts'
import type { SettingsDeps } from './stored-settings.ts'

export interface RemetentesDeps extends SettingsDeps {
  readonly clock: Clock
  readonly senders: Senders
  readonly urlPublica: string | null
  /** Rate limits of test messages, by login. */
  readonly testLimit: RateLimit
}
