import { type CanalCriado, type CanalNotificacao, corpoWebhookSchema } from '@vigia/contracts/notificacoes'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Backstage, openBackstage } from '../../../test/clouds/backstage.ts'
import { type Account, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { ORIGIN } from '../../../test/records/attachments.ts'
import { JPEG } from '../../../test/records/records.ts'
import { type NotificationServices, startNotificationServices } from '../../../test/stand-ins/notification-services.ts'

const PLATE = 'ABC1D23'
const PATH = '/api/v1/notificacoes'
let services: NotificationServices
let app: TestApp
let backstage: Backstage
let own: Account
/** Canais by name: of each kind with its default, and with the other value. */
const canais: Record<string, CanalCriado> = {}
const LISTED = { dono: 'Morador do 42', nota: 'Furtada em maio' }
let incidente: number
beforeAll(async () => {
  services = await startNotificationServices()
  app = await startTestApp({ ...services.env, VIGIA_URL_PUBLICA: ORIGIN })
  backstage = await openBackstage(app)
  own = await app.account('Padaria')
  await own.admin.expect(201, 'POST', '/api/v1/placas', { placa: PLATE, lista: 'bloqueada', ...LISTED })
  for (const [name, body] of Object.entries({
    webhook: { destino: `${services.hook.url}/com` },
    webhookSem: { destino: `${services.hook.url}/sem`, placas: false },
    incidenteSem: { destino: `${services.hook.url}/capa-sem`, placas: false, agrupar: true },
    incidente: { destino: `${services.hook.url}/capa-com`, agrupar: true },
    email: { tipo: 'email', destino: 'sem@exemplo.com.br' },
    emailCom: { tipo: 'email', destino: 'com@exemplo.com.br', placas: true },
    telegram: { tipo: 'telegram', destino: '-1001' },
    telegramCom: { tipo: 'telegram', destino: '-1002', placas: true },
    whatsapp: { tipo: 'whatsapp', destino: '+5511900000001' },
    whatsappCom: { tipo: 'whatsapp', destino: '+5511900000002', placas: true },
  }))
    canais[name] = await create(body)
  incidente = await report()
  for (const { id } of Object.values(canais)) await delivered(id)
})
afterAll(async () => {
  await backstage.close()
  await app.stop()
  await services.close()
})

const create = (body: object) =>
  own.admin.expect<CanalCriado>(201, 'POST', PATH, { empresa_id: own.empresaId, ...body })
const read = (id: number) => own.admin.expect<CanalNotificacao>(200, 'GET', `${PATH}/${id}`)
const delivered = (id: number, count = 1) =>
  waitFor(`delivery ${count} of canal ${id}`, async () => (await read(id)).entregas.entregues === count)

/** A passage of the plate with its confirmed event. Returns the incidente of the event. */
async function report(): Promise<number> {
  const passagem = await backstage.passagem(await backstage.camera(own.empresaId), { ocorrido_em: app.clock.now() })
  const { evento_id } = await backstage.db
    .selectFrom('passagens')
    .select('evento_id')
    .where('id', '=', passagem)
    .executeTakeFirstOrThrow()
  await backstage.verdict(evento_id ?? 0, 'confirmado')
  return backstage.incidenteOf(evento_id ?? 0)
}

const bodyAt = (path: string) => {
  const [request] = services.hook.received.filter((one) => one.path === path).slice(-1)
  return { text: request?.body ?? '', body: corpoWebhookSchema.parse(JSON.parse(request?.body ?? '')) }
}
const mailTo = (address: string) => {
  const mail = services.smtp.mails.find(({ to }) => to.includes(address))
  if (!mail) throw new Error(`no mail to ${address}`)
  return mail
}

it('carries plates by default to programs and not to people', () => {
  const values = Object.fromEntries(Object.entries(canais).map(([name, { placas }]) => [name, placas]))
  expect(values).toMatchObject({ webhook: true, email: false, telegram: false, whatsapp: false })
})

describe('a message with plates', () => {
  it('has text and picture for a program', async () => {
    const { body } = bodyAt('/com')
    expect(body).toMatchObject({ tipo: 'evento.confirmado', evento: { tipo: 'placa', detalhes: { placa: PLATE } } })
    expect(bodyAt('/capa-com').body).toMatchObject({ tipo: 'incidente', capa: { detalhes: { placa: PLATE } } })
    const { pathname } = new URL(body.imagem_url ?? '')
    expect(Buffer.from(await (await fetch(`${app.url}${pathname}`)).arrayBuffer())).toEqual(JPEG)
  })

  it('has a line with the plate, and the picture, for people', () => {
    const mail = mailTo('com@exemplo.com.br')
    expect(mail.text).toContain(
      `Placa: ${PLATE}\r\nLista: bloqueada\r\nDono: ${LISTED.dono}\r\nNota da placa: ${LISTED.nota}`,
    )
    expect(mail.pictures.map(({ content }) => content)).toEqual([JPEG])
    const telegram = services.telegram.messages.find(({ fields }) => fields.chat_id === '-1002')
    expect(telegram?.fields.caption).toContain(`Placa: ${PLATE}`)
    expect(telegram?.photo).toEqual(JPEG)
    const whatsapp = services.twilio.messages.find(({ To }) => To === 'whatsapp:+5511900000002')
    expect(JSON.parse(whatsapp?.ContentVariables ?? '{}')[3]).toBe(`Placa bloqueada, ${PLATE}`)
  })
})

describe('a message without plates', () => {
  it('says to a program that a plate was read, with the page and without picture', () => {
    const link = `${ORIGIN}/incidentes/${incidente}`
    for (const path of ['/sem', '/capa-sem']) {
      const { text, body } = bodyAt(path)
      for (const hidden of [PLATE, LISTED.dono, LISTED.nota]) expect(text).not.toContain(hidden)
      expect(text).not.toContain('semImagem')
      expect(body).toMatchObject({ link, imagem_url: null })
      const shown = 'capa' in body ? body.capa : 'evento' in body ? body.evento : null
      expect(shown).toMatchObject({ tipo: 'placa', crop_url: null, clip_url: null, detalhes: { lista: 'bloqueada' } })
    }
  })

  it('says the same to people', () => {
    const mail = mailTo('sem@exemplo.com.br')
    expect(mail.text).toContain('O que foi visto: Placa')
    expect(mail.text).toContain(`${ORIGIN}/incidentes/${incidente}`)
    for (const hidden of [PLATE, LISTED.dono, LISTED.nota]) expect(JSON.stringify(mail)).not.toContain(hidden)
    expect(mail.pictures).toEqual([])
    const telegram = services.telegram.messages.find(({ fields }) => fields.chat_id === '-1001')
    expect(telegram).toMatchObject({ method: 'sendMessage', photo: null })
    expect(telegram?.fields.text).not.toContain(PLATE)
    const whatsapp = services.twilio.messages.find(({ To }) => To === 'whatsapp:+5511900000001')
    expect(whatsapp?.ContentVariables).not.toContain(PLATE)
  })

  it('follows a change of the canal, which only an administrador makes', async () => {
    const id = canais.webhook?.id ?? 0
    expect((await own.usuario.send('PATCH', `${PATH}/${id}`, { placas: false })).status).toBe(403)
    await own.admin.expect(200, 'PATCH', `${PATH}/${id}`, { placas: false })
    await report()
    await delivered(id, 2)
    expect(bodyAt('/com').text).not.toContain(PLATE)
  })
})

it('sends other events with their picture to a canal without plates', async () => {
  const event = await backstage.event(await backstage.camera(own.empresaId))
  await backstage.verdict(event, 'confirmado')
  const mail = await waitFor('the mail', () =>
    services.smtp.mails.find(({ to, text }) => to.includes('sem@exemplo.com.br') && text.includes('Invasão')),
  )
  expect(mail.pictures).toHaveLength(1)
})

it('takes the default of a new tipo', async () => {
  const { id } = await create({ destino: `${services.hook.url}/novo` })
  const change = (body: object) => own.admin.expect<CanalNotificacao>(200, 'PATCH', `${PATH}/${id}`, body)
  expect(await change({ tipo: 'email', destino: 'guarita@exemplo.com.br' })).toMatchObject({ placas: false })
  const back = { tipo: 'webhook', destino: `${services.hook.url}/novo`, placas: false }
  expect(await change(back)).toMatchObject({ placas: false })
  expect(await change({ tipo: 'webhook', placas: null })).toMatchObject({ placas: false })
})
