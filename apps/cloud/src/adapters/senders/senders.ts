import type { TipoCanal } from '@vigia/contracts/destinos'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import type { Clock } from '../clock.ts'
import type { Attachments } from './attachments.ts'
import { createEmailSender } from './email-sender.ts'
import type { Sender, Senders } from './interface.ts'
import { createMqttSender } from './mqtt-sender.ts'
import type { SenderSettings } from './sender-settings.ts'
import { createTelegramSender } from './telegram-sender.ts'
import { createWebhookSender } from './webhook-sender.ts'
import { createWhatsappSender } from './whatsapp-sender.ts'

interface SendersDeps {
  readonly clock: Clock
  readonly attachments: Attachments
  readonly settings: SenderSettings
  /** Networks that are not public and may be sent to (VIGIA_WEBHOOK_PERMITIR). */
  readonly allowed: AllowedCidrs
  /** Time limit of one delivery; default: DELIVERY_MS. */
  readonly timeoutMs?: number
}

/** One sender per kind of canal. A new kind is one file and one line here. */
const kinds: Readonly<Record<TipoCanal, (deps: SendersDeps) => Sender>> = {
  webhook: createWebhookSender,
  email: createEmailSender,
  whatsapp: createWhatsappSender,
  telegram: createTelegramSender,
  mqtt: createMqttSender,
}

export const createSenders = (deps: SendersDeps): Senders =>
  Object.fromEntries(Object.entries(kinds).map(([tipo, create]) => [tipo, create(deps)])) as Senders
