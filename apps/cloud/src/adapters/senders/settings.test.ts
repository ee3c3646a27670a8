import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../config.ts'

const SID = 'a0'.repeat(16)

it('is empty by default, without allowed networks', () => {
  const { webhookPermitir, remetentes } = loadConfig({})
  expect(webhookPermitir).toEqual([])
  expect(remetentes).toEqual({
    email: { smtpUrl: null, semTls: false, remetente: null },
    twilio: {
      accountSid: null,
      authToken: null,
      remetente: null,
      contentSid: null,
      contentSidImagem: null,
      url: 'https://api.twilio.com',
    },
    telegram: { token: null, url: 'https://api.telegram.org' },
  })
})

it('reads all settings, and shows no secrets', () => {
  const config = loadConfig({
    VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8, fd00::/8',
    VIGIA_SMTP_URL: 'smtps://ana:senha-do-smtp@mail.exemplo.com.br',
    VIGIA_SMTP_SEM_TLS: '1',
    VIGIA_EMAIL_REMETENTE: 'Vigia <avisos@exemplo.com.br>',
    VIGIA_TWILIO_ACCOUNT_SID: `AC${SID}`,
    VIGIA_TWILIO_AUTH_TOKEN: 'token-da-twilio',
    VIGIA_TWILIO_REMETENTE: 'whatsapp:+5511987654321',
    VIGIA_TWILIO_CONTENT_SID: `HX${SID}`,
    VIGIA_TWILIO_URL: 'http://127.0.0.1:4010',
    VIGIA_TELEGRAM_TOKEN: `123456:${'token-do-telegram'.repeat(2)}`,
  })
  expect(config.webhookPermitir).toHaveLength(2)
  const { email, twilio, telegram } = config.remetentes
  expect(email).toMatchObject({ semTls: true, remetente: { nome: 'Vigia', endereco: 'avisos@exemplo.com.br' } })
  expect(email.smtpUrl?.reveal()).toContain('senha-do-smtp')
  expect(twilio).toMatchObject({ accountSid: `AC${SID}`, contentSid: `HX${SID}`, url: 'http://127.0.0.1:4010' })
  expect(twilio.authToken?.reveal()).toBe('token-da-twilio')
  expect(telegram.token?.reveal()).toContain('token-do-telegram')
  for (const text of [JSON.stringify(config), inspect(config, { depth: 9 })])
    expect(text).not.toMatch(/senha-do-smtp|token-da-twilio|token-do-telegram/)
  expect(loadConfig({ VIGIA_EMAIL_REMETENTE: 'avisos@exemplo.com.br' }).remetentes.email.remetente?.nome).toBe('')
})

describe('an invalid setting is named without its value', () => {
  it.each([
    ['VIGIA_WEBHOOK_PERMITIR', '10.0.0.0/33'],
    ['VIGIA_WEBHOOK_PERMITIR', 'gancho.local'],
    ['VIGIA_SMTP_URL', 'http://ana:senha-do-smtp@mail.exemplo.com.br'],
    ['VIGIA_SMTP_URL', 'mail.exemplo.com.br:587'],
    ['VIGIA_SMTP_URL', 'smtp://ana:senha-do-smtp@mail.exemplo.com.br/caminho'],
    ['VIGIA_SMTP_URL', 'smtp://ana:25#senha-do-smtp@mail.exemplo.com.br'],
    ['VIGIA_SMTP_URL', 'smtp://ana:100%senha-do-smtp@mail.exemplo.com.br'],
    ['VIGIA_SMTP_SEM_TLS', 'talvez'],
    ['VIGIA_EMAIL_REMETENTE', 'Guarita'],
    ['VIGIA_EMAIL_REMETENTE', 'Vigia <avisos>'],
    ['VIGIA_EMAIL_REMETENTE', 'a@exemplo.com.br\r\nBcc: b@exemplo.com.br'],
    ['VIGIA_TWILIO_ACCOUNT_SID', `SK${SID}`],
    ['VIGIA_TWILIO_REMETENTE', '+551133334444'],
    ['VIGIA_TWILIO_CONTENT_SID', 'HX-1'],
    ['VIGIA_TWILIO_CONTENT_SID_IMAGEM', 'HX-2'],
    ['VIGIA_TELEGRAM_TOKEN', 'bot123456:curto'],
    ['VIGIA_TELEGRAM_URL', 'http://telegram.exemplo.com.br'],
    ['VIGIA_TWILIO_URL', 'http://twilio.exemplo.com.br'],
    ['VIGIA_TWILIO_URL', 'http://127.0.0.1.exemplo.com.br'],
  ])('%s=%s', (name, value) => {
    const load = () => loadConfig({ [name]: value })
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(name)
    expect(load).not.toThrow(value)
  })
})
