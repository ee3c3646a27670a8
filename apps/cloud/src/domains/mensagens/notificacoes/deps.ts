import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import type { Clock } from '../../../adapters/clock.ts'
import type { RateLimit } from '../../../adapters/rate-limits/interface.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { Senders } from '../../../adapters/senders/interface.ts'
import type { Database } from '../../../db/open.ts'

export interface NotificacoesDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
  readonly senders: Senders
  /** Private networks that webhooks may reach (VIGIA_WEBHOOK_PERMITIR). */
  readonly webhookPermitir: AllowedCidrs
  /** Rate limits of test messages and of resent deliveries, by canal and by login. */
  readonly testLimit: RateLimit
  /** Call it when there are new deliveries. */
  readonly wake: () => void
}
