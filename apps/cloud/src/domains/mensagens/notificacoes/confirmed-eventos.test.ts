import type { Evento } from '@vigia/contracts/eventos'
import { type CanalNotificacao, corpoWebhookSchema } from '@vigia/contracts/notificacoes'
import { waitFor } from '@vigia/testing/wait'
import { openPicture } from '@vigia/vision/picture'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Backstage, startWithBackstage } from '../../../test/clouds/backstage.ts'
import type { Account, TestApp } from '../../../test/clouds/test-app.ts'
import { ORIGIN } from '../../../test/records/attachments.ts'
import {
  type NotificationServices,
  SMTP_LOGIN,
  startNotificationServices,
} from '../../../test/stand-ins/notification-services.ts'
import { TWILIO } from '../../../test/stand-ins/twilio-stand-in.ts'
import { storedText } from '../../../test/stores/stored-store.ts'

let services: NotificationServices
let app: TestApp
let backstage: Backstage
let own: Account
let camera: Awaited<ReturnType<Backstage['camera']>>
beforeAll(async () => {
  services = await startNotificationServices()
  ;({ app, backstage } = await startWithBackstage({ ...services.env, VIGIA_URL_PUBLICA: ORIGIN }))
  own = await app.account('Padaria')
  camera = await backstage.camera(own.empresaId)
})
afterAll(async () => {
  await app.stop()
  await services.close()
})

const path = '/api/v1/notificacoes'
const create = (body: object) =>
  own.admin.expect<CanalNotificacao & { segredo: string }>(201, 'POST', path, { empresa_id: own.empresaId, ...body })
const read = (id: number) => own.usuario.expect<CanalNotificacao>(200, 'GET', `${path}/${id}`)

const sizeOf = async (jpeg: Buffer) => {
  const { width, height } = await openPicture(jpeg)
  return [width, height]
}

it('sends a confirmed event with its picture to each kind of canal, and no refuted one', async () => {
  const { id: webhook, segredo } = await create({ destino: `${services.hook.url}/v` })
  const { id: email } = await create({ tipo: 'email', destino: 'guarita@exemplo.com.br' })
  const { id: whatsapp } = await create({ tipo: 'whatsapp', destinatarios: ['+5511987654321'] })
  const { id: telegram } = await create({ tipo: 'telegram', destino: '-1001234567890' })
  await backstage.verdict(await backstage.event(camera), 'refutado')
  const eventId = await backstage.event(camera)
  await backstage.verdict(eventId, 'confirmado')
  for (const id of [webhook, email, whatsapp, telegram])
    await waitFor('the delivery', async () => (await read(id)).entregas.entregues === 1)

  expect(services.hook.received).toHaveLength(1)
  const [request] = services.hook.received
  const body = corpoWebhookSchema.parse(new Webhook(segredo).verify(request?.body ?? '', request?.headers ?? {}))
  expect(body).toMatchObject({
    tipo: 'evento.confirmado',
    id: request?.headers['webhook-id'],
    empresa: { id: own.empresaId, nome: 'Padaria' },
    camera: { id: camera.cameraId, nome: 'Portão' },
    evento: { id: eventId, veredito: { decisao: 'confirmado', motivo: 'Pessoa vista.' } },
  })
  expect(services.smtp.mails).toHaveLength(1)
  expect(services.smtp.mails[0]?.headers).toContainEqual(['subject', '[Vigia] Invasão: Portão (Padaria)'])
  expect(services.smtp.mails[0]?.headers).toContainEqual([
    'message-id',
    expect.stringMatching(/^<[0-9a-f-]{36}@exemplo\.com\.br>$/),
  ])
  expect(
    services.twilio.messages.map(({ To, ContentVariables = '' }) => [To, JSON.parse(ContentVariables)[3]]),
  ).toEqual([['whatsapp:+5511987654321', 'Invasão']])

  const { crop_url } = await own.usuario.expect<Evento>(200, 'GET', `/api/v1/events/${eventId}`)
  expect(body.link).toBe(`${ORIGIN}/incidentes/${'evento' in body && body.evento.incidente_id}`)
  const { pathname } = new URL(body.imagem_url ?? '')
  const picture = Buffer.from(await (await fetch(`${app.url}${pathname}`)).arrayBuffer())
  expect(crop_url).not.toBeNull()
  expect(picture.subarray(0, 2).toString('hex')).toBe('ffd8')
  // People get the same frame with the box drawn.
  const drawn = services.smtp.mails[0]?.pictures.map(({ content }) => content) ?? []
  expect(services.telegram.messages.map(({ photo }) => photo)).toEqual(drawn)
  expect(drawn).not.toEqual([picture])
  const sizes = await Promise.all([picture, ...drawn].map(sizeOf))
  expect(sizes).toEqual([sizes[0], sizes[0]])
  // Some bits of the last character of base64url may have no meaning.
  const forged = pathname.replace(/.(?=.{9}\.jpg$)/, (one) => (one === 'A' ? 'B' : 'A'))
  for (const path of [`${pathname.slice(0, -5)}.jpg`, forged])
    expect((await fetch(`${app.url}${path}`)).status).toBe(404)
})

it('shows failures on the canal within scope, without secrets or destinations', async () => {
  const { id } = await create({ tipo: 'email', destino: 'ninguem@exemplo.com.br', camera_id: camera.cameraId })
  await backstage.verdict(await backstage.event(camera), 'confirmado')
  await waitFor('the failure', async () => (await read(id)).entregas.ultimo_erro !== null)
  expect((await read(id)).entregas).toEqual({
    pendentes: 1,
    entregues: 0,
    desistidas: 0,
    ultimo_erro: 'O servidor de e-mail recusou este destinatário (550).',
    ultimo_erro_em: expect.stringMatching(/Z$/),
  })
  const listed = await own.usuario.expect<CanalNotificacao[]>(200, 'GET', path)
  expect(listed.find((canal) => canal.id === id)?.entregas.pendentes).toBe(1)
  expect(await own.admin.expect(200, 'PATCH', `${path}/${id}`, { tipos_evento: ['fogo'] })).toMatchObject({
    entregas: { pendentes: 1 },
  })
  const stored = (await storedText(app.dataDir)) + app.logText()
  for (const secret of [SMTP_LOGIN.pass, TWILIO.authToken]) expect(stored).not.toContain(secret)
  expect(app.logText()).not.toContain('ninguem@')
})
