import { corpoWebhookSchema } from '@vigia/contracts/notificacoes'
import { waitFor } from '@vigia/testing/wait'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { budgets } from '../../../adapters/rate-limits/budgets.ts'
import type { Client } from '../../../test/clients/client.ts'
import { type Account, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { startHttpReceiver } from '../../../test/stand-ins/http-receiver.ts'
import {
  type NotificationServices,
  SMTP_LOGIN,
  startNotificationServices,
} from '../../../test/stand-ins/notification-services.ts'
import { TWILIO } from '../../../test/stand-ins/twilio-stand-in.ts'
import { storedText } from '../../../test/stores/stored-store.ts'

let services: NotificationServices
let app: TestApp
let own: Account
beforeAll(async () => {
  services = await startNotificationServices()
  app = await startTestApp(services.env)
})
beforeEach(async () => {
  own = await app.account('Padaria')
})
afterAll(async () => {
  await app.stop()
  await services.close()
})

const path = '/api/v1/notificacoes'
const create = (body: object) =>
  own.admin.expect<{ id: number; segredo: string }>(201, 'POST', path, { empresa_id: own.empresaId, ...body })
const test = (id: number, by = own.admin) =>
  by.expect<{ ok: boolean; erros: string[] }>(200, 'POST', `${path}/${id}/teste`)

it('signs a webhook with the secret from its creation, and with the new one after a rotation', async () => {
  const camera = { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.1/1' }
  const { id: camera_id } = await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', camera)
  const { id, segredo } = await create({
    destino: `${services.hook.url}/v`,
    camera_id,
    tipos_evento: ['fogo'],
    ativo: false,
  })
  expect(await test(id)).toEqual({ ok: true, erros: [], avisos: [] })
  const first = services.hook.received.at(-1)
  const body = corpoWebhookSchema.parse(new Webhook(segredo).verify(first?.body ?? '', first?.headers ?? {}))
  expect(body).toMatchObject({
    tipo: 'teste',
    empresa: { id: own.empresaId, nome: 'Padaria' },
    camera: { id: camera_id, nome: 'Portão' },
    evento: { id: 0, camera_id, tipo: 'fogo', detalhes: { teste: true } },
  })
  expect('evento' in body && body.evento.veredito?.motivo).toContain('nenhum evento aconteceu')

  const rotated = await own.admin.expect<{ segredo: string }>(200, 'POST', `${path}/${id}/segredo`)
  expect(await test(id)).toMatchObject({ ok: true })
  const second = services.hook.received.at(-1)
  expect(() => new Webhook(segredo).verify(second?.body ?? '', second?.headers ?? {})).toThrow()
  expect(new Webhook(rotated.segredo).verify(second?.body ?? '', second?.headers ?? {})).toMatchObject({
    tipo: 'teste',
  })
})

it('signs with the secret that a canal got when it became a webhook', async () => {
  const { id } = await create({ tipo: 'email', destino: 'guarita@exemplo.com.br' })
  await own.admin.expect(200, 'PATCH', `${path}/${id}`, { tipo: 'webhook', destino: services.hook.url })
  expect(await test(id)).toEqual({ ok: true, erros: [], avisos: [] })
  expect(services.hook.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,/)
})

it('sends e-mail', async () => {
  const { id } = await create({ tipo: 'email', destino: 'guarita@exemplo.com.br' })
  expect(await test(id)).toEqual({ ok: true, erros: [], avisos: [] })
  const mail = services.smtp.mails.at(-1)
  expect(mail).toMatchObject({ to: ['guarita@exemplo.com.br'], secure: true })
  expect(mail?.headers).toContainEqual(['subject', '[Vigia] Teste de notificação: Padaria'])
  expect(mail?.text).toMatch(/^Este é um teste: nenhum evento aconteceu/)
})

it('sends WhatsApp', async () => {
  const { id } = await create({ tipo: 'whatsapp', destino: '+5511987654321' })
  expect(await test(id)).toEqual({
    ok: true,
    erros: [],
    avisos: [
      'As mensagens de WhatsApp saem sem imagem nem link: falta VIGIA_URL_PUBLICA com https:// e o modelo com imagem ' +
        '(VIGIA_TWILIO_CONTENT_SID_IMAGEM).',
    ],
  })
  const { To, ContentVariables = '' } = services.twilio.messages.at(-1) ?? {}
  expect(To).toBe('whatsapp:+5511987654321')
  expect(JSON.parse(ContentVariables)).toMatchObject({ 1: 'Padaria', 3: expect.stringMatching(/^Este é um teste/) })
})

it('sends Telegram', async () => {
  const { id } = await create({ tipo: 'telegram', destino: '-1001234567890' })
  expect(await test(id)).toEqual({ ok: true, erros: [], avisos: [] })
  const { fields } = services.telegram.messages.at(-1) ?? {}
  expect(fields).toMatchObject({ chat_id: '-1001234567890', text: expect.stringMatching(/Este é um teste/) })
})

describe('several destinations', () => {
  it('each receive one message, and failures are listed by name', async () => {
    const seen = services.smtp.mails.length
    const { id } = await create({
      tipo: 'email',
      destino: 'guarita@exemplo.com.br',
      destinatarios: [
        'ninguem@exemplo.com.br',
        'guarita@exemplo.com.br',
        'sindica@exemplo.com.br',
        'ninguem@exemplo.net',
      ],
    })
    const { ok, erros } = await test(id)
    expect(ok).toBe(false)
    expect(erros).toEqual([
      expect.stringMatching(/^ninguem@exemplo\.com\.br: .*\(550\)/),
      expect.stringMatching(/^ninguem@exemplo\.net: .*\(550\)/),
    ])
    const recipients = services.smtp.mails.slice(seen).flatMap(({ to }) => to)
    expect(recipients.sort()).toEqual(['guarita@exemplo.com.br', 'sindica@exemplo.com.br'])
  })

  it('receive at most five messages concurrently', async () => {
    const waiting: (() => void)[] = []
    const slow = await startHttpReceiver((response) => {
      waiting.push(() => response.writeHead(204).end())
    })
    const destinatarios = Array.from({ length: 12 }, (_, i) => `${slow.url}/${i}`)
    const { id } = await create({ destinatarios })
    const answer = test(id)
    let most = 0
    for (let answered = 0; answered < 12; answered += 1) {
      const expected = Math.min(5, 12 - answered)
      await waitFor(`${expected} deliveries under way`, () => waiting.length >= expected, { everyMs: 5 })
      most = Math.max(most, waiting.length)
      waiting.shift()?.()
    }
    expect(await answer).toEqual({ ok: true, erros: [], avisos: [] })
    expect(most).toBe(5)
    expect(slow.received.map(({ path: where }) => where).sort()).toEqual(
      destinatarios.map((url) => new URL(url).pathname).sort(),
    )
    await slow.close()
  })

  it('are shown without the query of the URL', async () => {
    const broken = await startHttpReceiver((response) => response.writeHead(500).end())
    const { id } = await create({ destino: `${broken.url}/gancho?token=segredo-da-query` })
    const { erros } = await test(id)
    expect(erros).toEqual([`127.0.0.1:${broken.port}/gancho: O servidor respondeu com erro (500).`])
    await broken.close()
  })
})

it('reports a missing destination', async () => {
  const { id } = await create({})
  expect(await test(id)).toMatchObject({ ok: false, erros: [expect.stringContaining('não tem destino')] })
})

it('is allowed for the parent and the operator', async () => {
  const child = await app.account('Abaixo', own.admin)
  const { id } = await create({ empresa_id: child.empresaId, destino: services.hook.url })
  for (const by of [child.admin, own.admin, app.operator]) expect(await test(id, by)).toMatchObject({ ok: true })
})

describe('an exhausted limit', () => {
  const { uses } = budgets.teste
  const send = (by: Client, id: number) => by.send('POST', `${path}/${id}/teste`)

  it('of a canal refuses every caller with the time to wait, and sends nothing', async () => {
    const { id } = await create({ destino: services.hook.url })
    const other = await create({ destino: services.hook.url })
    const seen = services.hook.received.length
    for (let i = 0; i < uses; i += 1) expect((await send(i % 2 ? own.admin : app.operator, id)).status).toBe(200)
    for (const by of [own.admin, app.operator]) {
      const refused = await send(by, id)
      expect(refused).toMatchObject({ status: 429, body: { detail: expect.any(String) } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(services.hook.received.length - seen).toBe(uses)
    expect((await send(own.admin, other.id)).status).toBe(200)
  })

  it('of a login refuses tests of every canal', async () => {
    const ids = await Promise.all(Array.from({ length: uses + 1 }, async () => (await create({})).id))
    const statuses = await Promise.all(ids.map(async (id) => (await send(own.admin, id)).status))
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})

it('stores and logs no passwords or tokens', async () => {
  const { id } = await create({ tipo: 'email', destino: 'ninguem@exemplo.com.br' })
  await test(id)
  services.twilio.refuse('+5511900000000', 63016)
  const whatsapp = await create({ tipo: 'whatsapp', destino: '+5511900000000' })
  expect((await test(whatsapp.id)).erros).toEqual([expect.stringMatching(/^\+5511900000000: .*63016/)])
  const stored = (await storedText(app.dataDir)) + app.logText()
  expect(stored).toContain('ninguem@exemplo.com.br')
  for (const secret of [SMTP_LOGIN.pass, TWILIO.authToken]) expect(stored).not.toContain(secret)
})

describe('an installation without configuration', () => {
  let bare: TestApp
  beforeAll(async () => {
    bare = await startTestApp()
  })
  afterAll(() => bare.stop())

  it('reports missing settings and refuses webhooks to its own networks', async () => {
    const { admin, empresaId } = await bare.account('Nova')
    const connections = services.hook.connections()
    const erros = async (body: object) => {
      const { id } = await admin.expect<{ id: number }>(201, 'POST', path, { empresa_id: empresaId, ...body })
      return (await test(id, admin)).erros
    }
    await admin.expect(422, 'POST', path, { empresa_id: empresaId, destino: services.hook.url })
    expect(await erros({ tipo: 'email', destino: 'a@exemplo.com.br' })).toEqual([
      expect.stringContaining('VIGIA_SMTP_URL e VIGIA_EMAIL_REMETENTE'),
    ])
    expect(await erros({ tipo: 'whatsapp', destino: '+5511987654321' })).toEqual([
      expect.stringContaining('VIGIA_TWILIO_ACCOUNT_SID'),
    ])
    expect(services.hook.connections()).toBe(connections)
  })
})
