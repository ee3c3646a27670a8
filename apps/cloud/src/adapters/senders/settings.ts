import {
  accountSidTexto,
  contentSidTexto,
  remetenteWhatsappTexto,
  tokenTelegramTexto,
} from '@vigia/contracts/remetentes'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { z } from 'zod'
import { Secret } from '../secret.ts'

/**
 * Settings of the e-mail sender from the environment. Unset values are null: the canal then reports the missing setting
 * when it is used.
 */
export interface EmailSettings {
  /** `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465`. */
  readonly smtpUrl: Secret | null
  /** SMTP without TLS, only for a relay on this machine or in the own network. */
  readonly semTls: boolean
  readonly remetente: { readonly nome: string; readonly endereco: string } | null
}

export interface TwilioSettings {
  readonly accountSid: string | null
  readonly authToken: Secret | null
  /** `whatsapp:+5511…`. */
  readonly remetente: string | null
  /** The approved template, which WhatsApp requires for the first message to a person. */
  readonly contentSid: string | null
  /** The approved template with a picture; null: messages have no picture. */
  readonly contentSidImagem: string | null
  readonly url: string
}

interface TelegramSettings {
  /** Token of the bot. */
  readonly token: Secret | null
  readonly url: string
}

const secretText = (schema: z.ZodType<string>) => schema.transform((text) => new Secret(text)).optional()

/** Networks that an address policy allows, separated by commas. */
export const allowedNetworks = z
  .string()
  .default('')
  .transform((text, ctx) => {
    try {
      return parseAllowedCidrs(text)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      ctx.addIssue({ code: 'custom', message: 'use redes CIDR separadas por vírgula' })
      return z.NEVER
    }
  })

const serviceUrl = z.string().refine(isServiceUrl, { error: 'use uma URL https:// (http:// só para esta máquina)' })

/** Fields of the cloud's environment schema. */
export const senderEnv = {
  VIGIA_WEBHOOK_PERMITIR: allowedNetworks,
  VIGIA_SMTP_URL: secretText(
    z
      .string()
      .refine(isSmtpUrl, { error: 'use smtp://usuario:senha@servidor:587 ou smtps://usuario:senha@servidor:465' }),
  ),
  VIGIA_SMTP_SEM_TLS: z
    .enum(['0', '1', 'false', 'true'], { error: 'use true ou false' })
    .default('false')
    .transform((text) => text === '1' || text === 'true'),
  VIGIA_EMAIL_REMETENTE: z
    .string()
    .transform((text, ctx) => {
      const [, nome = '', quoted, bare] = /^([^<>"\r\n]*)<([^<>]+)>$|^([^<>]+)$/.exec(text.trim()) ?? []
      const endereco = z.email().safeParse(quoted ?? bare)
      if (endereco.success) return { nome: nome.trim(), endereco: endereco.data }
      ctx.addIssue({ code: 'custom', message: 'use alertas@exemplo.com.br ou Vigia <alertas@exemplo.com.br>' })
      return z.NEVER
    })
    .optional(),
  VIGIA_TWILIO_ACCOUNT_SID: accountSidTexto.optional(),
  VIGIA_TWILIO_AUTH_TOKEN: secretText(z.string()),
  VIGIA_TWILIO_REMETENTE: remetenteWhatsappTexto.optional(),
  VIGIA_TWILIO_CONTENT_SID: contentSidTexto.optional(),
  VIGIA_TWILIO_CONTENT_SID_IMAGEM: contentSidTexto.optional(),
  VIGIA_TWILIO_URL: serviceUrl.default('https://api.twilio.com'),
  VIGIA_TELEGRAM_TOKEN: secretText(tokenTelegramTexto),
  VIGIA_TELEGRAM_URL: serviceUrl.default('https://api.telegram.org'),
}
type SenderEnv = z.output<z.ZodObject<typeof senderEnv>>

export interface SenderValues {
  readonly email: EmailSettings
  readonly twilio: TwilioSettings
  readonly telegram: TelegramSettings
}

export const senderValues = (e: SenderEnv): SenderValues =>
  Object.freeze({
    email: Object.freeze({
      smtpUrl: e.VIGIA_SMTP_URL ?? null,
      semTls: e.VIGIA_SMTP_SEM_TLS,
      remetente: e.VIGIA_EMAIL_REMETENTE ?? null,
    }),
    twilio: Object.freeze({
      accountSid: e.VIGIA_TWILIO_ACCOUNT_SID ?? null,
      authToken: e.VIGIA_TWILIO_AUTH_TOKEN ?? null,
      remetente: e.VIGIA_TWILIO_REMETENTE ?? null,
      contentSid: e.VIGIA_TWILIO_CONTENT_SID ?? null,
      contentSidImagem: e.VIGIA_TWILIO_CONTENT_SID_IMAGEM ?? null,
      url: e.VIGIA_TWILIO_URL,
    }),
    telegram: Object.freeze({ token: e.VIGIA_TELEGRAM_TOKEN ?? null, url: e.VIGIA_TELEGRAM_URL }),
  })

/** A `/`, `?` or `#` after the host usually comes from a password that was not percent-encoded. */
function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false
  return /^\/?$/.test(url.pathname + url.search + url.hash) && isPercentEncoded(url.username + url.password)
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** A token is sent there, so http is allowed only for this machine. */
function isServiceUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol === 'https:') return true
  return url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
}
