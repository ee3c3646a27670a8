import tls from 'node:tls'
import { createTestInstallation } from '@vigia/link/testing/installation'
import { type HttpReceiver, startHttpReceiver } from './http-receiver.ts'
import { type SmtpReceiver, startSmtpReceiver } from './smtp-receiver.ts'
import { startTelegramStandIn, TELEGRAM_TOKEN, type TelegramStandIn } from './telegram-stand-in.ts'
import { startTwilioStandIn, TWILIO, type TwilioStandIn } from './twilio-stand-in.ts'

/** A webhook, a mail server with a certificate that this process trusts, and stand-ins for Twilio and Telegram. */
export interface NotificationServices {
  readonly hook: HttpReceiver
  readonly smtp: SmtpReceiver
  readonly twilio: TwilioStandIn
  readonly telegram: TelegramStandIn
  /** Environment of a cloud that delivers to them. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export const SMTP_LOGIN = { user: 'vigia', pass: 'senha-do-smtp-4711' } as const

export async function startNotificationServices(): Promise<NotificationServices> {
  const before = tls.getCACertificates('default')
  const { broker, remove } = await createTestInstallation()
  tls.setDefaultCACertificates([...before, broker.ca])
  const [hook, smtp, twilio, telegram] = await Promise.all([
    startHttpReceiver(),
    startSmtpReceiver(SMTP_LOGIN, { key: broker.key, cert: broker.cert }),
    startTwilioStandIn(),
    startTelegramStandIn(),
  ])
  return {
    hook,
    smtp,
    twilio,
    telegram,
    env: {
      VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
      VIGIA_SMTP_URL: `smtp://${SMTP_LOGIN.user}:${SMTP_LOGIN.pass}@127.0.0.1:${smtp.port}`,
      VIGIA_EMAIL_REMETENTE: 'Vigia <avisos@exemplo.com.br>',
      VIGIA_TWILIO_ACCOUNT_SID: TWILIO.accountSid,
      VIGIA_TWILIO_AUTH_TOKEN: TWILIO.authToken,
      VIGIA_TWILIO_REMETENTE: TWILIO.remetente,
      VIGIA_TWILIO_CONTENT_SID: TWILIO.contentSid,
      VIGIA_TWILIO_URL: twilio.url,
      VIGIA_TELEGRAM_TOKEN: TELEGRAM_TOKEN,
      VIGIA_TELEGRAM_URL: telegram.url,
    },
    async close() {
      await Promise.all([hook.close(), smtp.close(), twilio.close(), telegram.close(), remove()])
      tls.setDefaultCACertificates(before)
    },
  }
}
