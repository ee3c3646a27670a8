import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Remetentes } from '@vigia/contracts/remetentes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import {
  type NotificationServices,
  SMTP_LOGIN,
  startNotificationServices,
} from '../../../test/stand-ins/notification-services.ts'
import { TELEGRAM_TOKEN } from '../../../test/stand-ins/telegram-stand-in.ts'
import { TWILIO } from '../../../test/stand-ins/twilio-stand-in.ts'
import { storedText } from '../../../test/stores/stored-store.ts'

const PATH = '/api/v1/remetentes'
const NONE = { origem: 'nenhuma', com_segredo: false, valores: null }

let services: NotificationServices
let app: TestApp
beforeAll(async () => {
  services = await startNotificationServices()
  const { VIGIA_TELEGRAM_URL = '', VIGIA_TWILIO_URL = '' } = services.env
  app = await startTestApp({ VIGIA_TELEGRAM_URL, VIGIA_TWILIO_URL })
})
afterAll(async () => {
  await app.stop()
  await services.close()
})

const email = () => ({
  servidor: '127.0.0.1',
  porta: services.smtp.port,
  seguranca: 'starttls',
  usuario: SMTP_LOGIN.user,
  endereco: 'avisos@exemplo.com.br',
  nome: 'Vigia',
})
const whatsapp = {
  account_sid: TWILIO.accountSid,
  numero: TWILIO.remetente,
  content_sid: TWILIO.contentSid,
  content_sid_imagem: null,
}
const read = () => app.operator.expect<Remetentes>(200, 'GET', PATH)
const patch = (body: object) => app.operator.expect<Remetentes>(200, 'PATCH', PATH, body)
const test = (tipo: string, destino: string) =>
  app.operator.expect<{ ok: boolean; erros: string[]; avisos: string[] }>(200, 'POST', `${PATH}/${tipo}/teste`, {
    destino,
  })

it('is for the operator alone', async () => {
  const { admin, usuario } = await app.account('Padaria')
  for (const by of [admin, usuario]) {
    await by.expect(403, 'GET', PATH)
    await by.expect(403, 'PATCH', PATH, { telegram: null })
    await by.expect(403, 'POST', `${PATH}/telegram/teste`, { destino: '-1' })
  }
})

it('sends with the settings that were entered, from the next message on', async () => {
  expect(await read()).toEqual({ url_publica: null, email: NONE, whatsapp: NONE, telegram: NONE })
  expect(await test('email', 'guarita@exemplo.com.br')).toMatchObject({
    ok: false,
    erros: [expect.stringMatching(/não está configurado/)],
  })

  await patch({ email: { ...email(), senha: 'errada' } })
  expect(await test('email', 'guarita@exemplo.com.br')).toMatchObject({
    ok: false,
    erros: [
      'O servidor de e-mail não aceitou o usuário ou a senha (535): confira a página Remetentes ou VIGIA_SMTP_URL.',
    ],
  })
  const changed = await patch({
    email: { ...email(), senha: SMTP_LOGIN.pass },
    whatsapp: { ...whatsapp, token: TWILIO.authToken },
    telegram: { token: TELEGRAM_TOKEN },
  })
  expect(changed).toEqual({
    url_publica: null,
    email: { origem: 'painel', com_segredo: true, valores: email() },
    whatsapp: { origem: 'painel', com_segredo: true, valores: whatsapp },
    telegram: { origem: 'painel', com_segredo: true, valores: {} },
  })
  expect(await test('email', 'guarita@exemplo.com.br')).toEqual({ ok: true, erros: [], avisos: [] })
  expect(await test('email', 'ninguem@exemplo.com.br')).toMatchObject({
    ok: false,
    erros: [expect.stringMatching(/recusou este destinatário/)],
  })
  expect(await test('telegram', '-1001234567890')).toEqual({ ok: true, erros: [], avisos: [] })
  expect(await test('whatsapp', '+5511987654321')).toMatchObject({
    ok: true,
    avisos: [expect.stringMatching(/falta VIGIA_URL_PUBLICA/)],
  })
})

describe('a stored secret', () => {
  it('stays with its server or account, and leaves with them', async () => {
    await patch({ email: { ...email(), senha: SMTP_LOGIN.pass }, whatsapp: { ...whatsapp, token: TWILIO.authToken } })
    expect(await patch({ email: { ...email(), nome: 'Portaria' } })).toMatchObject({ email: { com_segredo: true } })
    expect(await test('email', 'guarita@exemplo.com.br')).toMatchObject({ ok: true })
    for (const [tipo, field, body] of [
      ['email', 'senha', { ...email(), servidor: 'mail.exemplo.com.br' }],
      ['whatsapp', 'token', { ...whatsapp, account_sid: `AC${'1'.repeat(32)}` }],
    ] as const) {
      const refused = await app.operator.expect(422, 'PATCH', PATH, { [tipo]: body })
      expect(refused).toMatchObject({ detail: [{ loc: ['body', tipo, field], type: 'missing' }] })
    }
    expect(await patch({ email: { ...email(), usuario: null } })).toMatchObject({ email: { com_segredo: false } })
    expect(await patch({ email: null })).toMatchObject({ email: NONE, whatsapp: { origem: 'painel' } })
  })

  it('is in no answer, log, audit record or file', async () => {
    await patch({ email: { ...email(), senha: SMTP_LOGIN.pass }, telegram: { token: TELEGRAM_TOKEN } })
    const records = await app.operator.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=remetente')
    expect(records[0]).toMatchObject({
      acao: 'alterar',
      objeto_nome: 'telegram',
      depois: { token: '**** (outro valor)' },
    })
    const seen = (await storedText(app.dataDir)) + app.logText() + JSON.stringify([records, await read()])
    for (const secret of [SMTP_LOGIN.pass, TELEGRAM_TOKEN, TWILIO.authToken]) expect(seen).not.toContain(secret)
  })
})

it.each([
  [{ email: { servidor: 'smtp.exemplo.com.br:587' } }, ['body', 'email', 'servidor']],
  [{ email: { servidor: 'abc:587' } }, ['body', 'email', 'servidor']],
  [{ email: { servidor: 'smtp.exemplo.com.br/x' } }, ['body', 'email', 'servidor']],
  [{ telegram: { token: 'curto' } }, ['body', 'telegram', 'token']],
  [{ sms: {} }, ['body', 'sms']],
])('refuses %j', async (body, loc) => {
  const answer = await app.operator.expect<{ detail: { loc: unknown }[] }>(422, 'PATCH', PATH, body)
  expect(answer.detail.map((item) => item.loc)).toContainEqual(loc)
})

it('shows the settings of the environment, which win and cannot be changed here', async () => {
  const other = await startTestApp(services.env)
  try {
    const shown = await other.operator.expect<Remetentes>(200, 'GET', PATH)
    expect(shown.email).toMatchObject({ origem: 'ambiente', com_segredo: true, valores: { servidor: '127.0.0.1' } })
    expect(shown.whatsapp).toEqual({ origem: 'ambiente', com_segredo: true, valores: whatsapp })
    expect(JSON.stringify(shown)).not.toContain(SMTP_LOGIN.pass)
    await other.operator.expect(409, 'PATCH', PATH, { email: { ...email(), senha: 'outra' } })
    expect(await other.operator.expect(200, 'GET', PATH)).toEqual(shown)
  } finally {
    await other.stop()
  }
})
