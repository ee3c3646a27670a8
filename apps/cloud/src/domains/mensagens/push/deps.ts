import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import type { Clock } from '../../../adapters/clock.ts'
import type { RateLimit } from '../../../adapters/rate-limits/interface.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { PushSender } from '../../../adapters/senders/push-sender.ts'
import type { Database } from '../../../db/open.ts'
import type { VapidKeys } from './vapid-keys.ts'

export interface PushDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
  readonly keys: VapidKeys
  readonly send: PushSender
  /** Networks that are not public but may be sent to (VIGIA_WEBHOOK_PERMITIR). */
  readonly allowed: AllowedCidrs
  /** Rate limits of test messages, by login. */
  readonly testLimit: RateLimit
}
