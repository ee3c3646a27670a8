import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { type InscricaoPush, MAX_INSCRICOES } from '@vigia/contracts/push'
import { newPushBrowser, type PushService, startPushService } from '@vigia/testing/push-service'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { type Backstage, startWithBackstage } from '../../../test/clouds/backstage.ts'
import { type Account, SENHA, type TestApp } from '../../../test/clouds/test-app.ts'
import { FRAME } from '../../../test/records/records.ts'

const PATH = '/api/v1/me/inscricoes'
const HOUR = 3_600_000
let app: TestApp
let backstage: Backstage
let acima: Account
let conta: Account
let outra: Account
let vigilante: Client
let camera: Awaited<ReturnType<Backstage['camera']>>
let service: PushService
let chave: string

beforeAll(async () => {
  ;({ app, backstage } = await startWithBackstage({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.1/32' }))
  acima = await app.account('Integradora')
  conta = await app.account('Padaria', acima.admin)
  outra = await app.account('Farmácia')
  await conta.admin.expect(201, 'POST', '/api/v1/usuarios', { username: 'rui', senha: SENHA, papel: 'vigilante' })
  vigilante = await app.signIn('rui')
  chave = (await vigilante.expect<{ chave_publica: string }>(200, 'GET', '/api/v1/push')).chave_publica
})
afterAll(() => app.stop())
beforeEach(async () => {
  camera = await backstage.camera(conta.empresaId)
  service = await startPushService()
})
afterEach(async () => {
  await backstage.db.deleteFrom('inscricoes_push').execute()
  await service.close()
})

const subscribe = (by: Client, change: Parameters<ReturnType<typeof newPushBrowser>['subscription']>[0] = {}) => {
  const browser = newPushBrowser(service)
  return by
    .expect<InscricaoPush>(201, 'POST', PATH, browser.subscription(change))
    .then((inscricao) => ({ browser, inscricao }))
}
const own = (by: Client) => by.expect<InscricaoPush[]>(200, 'GET', PATH)
type Change = NonNullable<Parameters<Backstage['event']>[1]>
const confirmed = async (change: Change = {}) => {
  const id = await backstage.event(camera, { ocorrido_em: app.clock.now(), ...change })
  await backstage.verdict(id, 'confirmado')
  return id
}
const received = (count: number) =>
  waitFor(`${count} messages`, () => (service.received.length >= count ? service.received : null))
const quiet = async () => {
  await waitFor('an empty queue', async () => {
    const rows = await backstage.db.selectFrom('trabalhos').select('id').where('tipo', '=', 'push').execute()
    return rows.length === 0
  })
}

describe('a subscribed browser', () => {
  it('receives a confirmed event with its picture, once per incidente, encrypted and signed', async () => {
    const { browser } = await subscribe(vigilante)
    const first = await confirmed()
    const [push] = await received(1)
    if (!push) throw new Error('no message')
    const incidente = await backstage.incidenteOf(first)
    expect(push.headers).toMatchObject({ ttl: '3600', urgency: 'high', topic: `incidente-${incidente}` })
    expect(push.body.includes('Padaria')).toBe(false)
    const aviso = browser.read(push, chave)
    expect(aviso).toMatchObject({
      titulo: expect.stringContaining(': '),
      corpo: expect.stringMatching(/^Padaria, .*\d{2}:\d{2}/),
      link: `/incidentes/${incidente}`,
      etiqueta: `incidente-${incidente}`,
      gravidade: 'alta',
    })
    const picture = await fetch(`${app.url}${aviso.imagem}`)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(FRAME)
    expect(app.logText()).not.toContain(aviso.imagem?.split('/').at(-1))

    await confirmed()
    await quiet()
    expect(service.received).toHaveLength(1)
    // A rise of the severity is a new alarm, once.
    await confirmed({ gravidade: 'critica' })
    await confirmed({ gravidade: 'critica' })
    await quiet()
    expect(service.received.map(({ headers }) => headers.topic)).toEqual(Array(2).fill(`incidente-${incidente}`))
    expect(await own(vigilante)).toMatchObject([{ entregue_em: expect.any(String), erro: null }])
  })

  it('receives no event below its severity, of another Empresa, or of a silenced camera', async () => {
    await subscribe(vigilante, { gravidade_min: 'critica' })
    await subscribe(outra.admin)
    await subscribe(acima.usuario)
    await confirmed()
    await vigilante.expect(200, 'POST', `/api/v1/cameras/${camera.cameraId}/silenciar`, { minutos: 15 })
    await subscribe(vigilante)
    await confirmed({ ocorrido_em: app.clock.now() + HOUR })
    await quiet()
    expect(service.received).toEqual([])
    await confirmed({ ocorrido_em: app.clock.now() + 2 * HOUR, gravidade: 'critica' })
    await received(2)
  })

  it('receives the event of a walk test as such, also of a silenced camera', async () => {
    const { browser } = await subscribe(vigilante)
    const path = `/api/v1/cameras/${camera.cameraId}`
    await vigilante.expect(200, 'POST', `${path}/silenciar`, { minutos: 15 })
    await conta.admin.expect(200, 'PUT', `${path}/provas/andamento`, { ativa: true })
    await confirmed()
    const [push] = await received(1)
    if (!push) throw new Error('no message')
    expect(browser.read(push, chave).titulo).toMatch(/^Prova: /)
  })

  it('of an administrador above, and of an operator, receives it too', async () => {
    await subscribe(acima.admin)
    await subscribe(app.operator)
    await confirmed()
    await received(2)
  })

  it('receives the events of the reach of its login, as it is when the message is sent', async () => {
    const body = { username: 'central', senha: SENHA, papel: 'vigilante', alcance: [conta.empresaId] }
    const created = { ...body, empresa_id: outra.empresaId }
    const { id } = await app.operator.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', created)
    await subscribe(await app.signIn('central'))
    const own = await backstage.camera(outra.empresaId)
    await backstage.verdict(await backstage.event(own, { ocorrido_em: app.clock.now() }), 'confirmado')
    await confirmed()
    await received(1)
    await quiet()
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { alcance: [outra.empresaId] })
    await confirmed()
    await quiet()
    expect(service.received).toHaveLength(1)
  })

  it('receives nothing about an incidente that a person has answered', async () => {
    await subscribe(vigilante)
    service.answer = 503
    const event = await confirmed()
    await received(1)
    const incidente = await backstage.incidenteOf(event)
    await vigilante.expect(200, 'POST', `/api/v1/incidentes/${incidente}/atendimento`, { resposta: 'falso' })
    service.answer = 201
    app.clock.advance(60_000)
    await quiet()
    expect(service.received).toHaveLength(1)
  })

  it('is tried again while the push service fails, and removed when the browser has ended it', async () => {
    await subscribe(vigilante)
    service.answer = 503
    await confirmed()
    await received(1)
    await waitFor('the error', async () => (await own(vigilante))[0]?.erro?.includes('503'))
    service.answer = 201
    app.clock.advance(60_000)
    await quiet()
    expect(service.received).toHaveLength(2)
    expect(await own(vigilante)).toMatchObject([{ erro: null }])

    service.answer = 410
    await confirmed({ ocorrido_em: app.clock.now() + HOUR })
    await waitFor('the removal', async () => (await own(vigilante)).length === 0)
  })

  it('waits as long as the push service asks for', async () => {
    await subscribe(vigilante)
    service.answer = 429
    service.headers = { 'retry-after': '600' }
    await confirmed()
    await received(1)
    await waitFor('the error', async () => (await own(vigilante))[0]?.erro?.includes('429'))
    service.answer = 201
    app.clock.advance(590_000)
    await waitFor('the queue to be read', async () => {
      const [row] = await backstage.db.selectFrom('trabalhos').select('em').where('tipo', '=', 'push').execute()
      return row?.em != null && row.em > app.clock.now()
    })
    expect(service.received).toHaveLength(1)
    app.clock.advance(11_000)
    await quiet()
    expect(service.received).toHaveLength(2)
  })

  it('receives backlog as one message, which names the cameras and leaves answered incidentes out', async () => {
    const { browser } = await subscribe(vigilante)
    const events = []
    for (let n = 1; n <= 3; n += 1)
      events.push(await confirmed({ ocorrido_em: app.clock.now() - 10 * n * HOUR, retroativo: 1 }))
    const incidente = await backstage.incidenteOf(events[0] ?? 0)
    await vigilante.expect(200, 'POST', `/api/v1/incidentes/${incidente}/atendimento`, { resposta: 'falso' })
    app.clock.advance(31_000)
    const [push] = await received(1)
    await quiet()
    expect(service.received).toHaveLength(1)
    const aviso = push && browser.read(push, chave)
    expect(aviso).toMatchObject({ titulo: '2 incidentes avisados com atraso', link: '/linha-do-tempo', imagem: null })
    expect(aviso?.corpo).toMatch(/^Padaria: .+ \(2\)$/)
  })

  it('receives a test message', async () => {
    const { browser, inscricao } = await subscribe(vigilante, { nome: 'Guarita' })
    const test = () => vigilante.expect(200, 'POST', `${PATH}/${inscricao.id}/teste`)
    expect(await test()).toEqual({ ok: true, erros: [], avisos: [] })
    const [push] = await received(1)
    expect(push && browser.read(push, chave).corpo).toContain('Guarita')
    service.answer = 500
    expect(await test()).toMatchObject({ ok: false, erros: ['O serviço de avisos respondeu com erro (500).'] })
  })
})

describe('subscriptions', () => {
  it('belong to the login that subscribed the browser last, and are audited without its address', async () => {
    const browser = newPushBrowser(service)
    const body = browser.subscription()
    const first = await vigilante.expect<InscricaoPush>(201, 'POST', PATH, body)
    expect(await vigilante.expect(201, 'POST', PATH, { ...body, gravidade_min: 'critica' })).toMatchObject({
      id: first.id,
      gravidade_min: 'critica',
    })
    await conta.admin.expect(201, 'POST', PATH, body)
    expect(await own(vigilante)).toEqual([])
    expect(await own(conta.admin)).toMatchObject([{ servico: new URL(service.url).host }])
    const audit = await conta.admin.expect<RegistroAuditoria[]>(
      200,
      'GET',
      `/api/v1/auditoria?objeto=inscricao_push&objeto_id=${first.id}`,
    )
    expect(audit.map(({ acao, username }) => [acao, username]).slice(-2)).toEqual([
      ['alterar', 'rui'],
      ['criar', 'rui'],
    ])
    const endpoint = body.endpoint.split('/').at(-1) ?? ''
    expect(JSON.stringify(audit) + app.logText()).not.toContain(endpoint)
    const stored = await backstage.db.selectFrom('inscricoes_push').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(endpoint)
  })

  it('of another login are not found', async () => {
    const { inscricao } = await subscribe(vigilante)
    for (const by of [conta.admin, app.operator, outra.usuario])
      for (const [method, path] of [
        ['DELETE', `${PATH}/${inscricao.id}`],
        ['POST', `${PATH}/${inscricao.id}/teste`],
      ] as const)
        await by.expect(404, method, path)
    await vigilante.expect(204, 'DELETE', `${PATH}/${inscricao.id}`)
    await vigilante.expect(404, 'DELETE', `${PATH}/${inscricao.id}`)
  })

  it('have a maximum per login', async () => {
    for (let i = 0; i < MAX_INSCRICOES; i += 1) await subscribe(vigilante)
    const body = newPushBrowser(service).subscription()
    expect(await vigilante.expect(409, 'POST', PATH, body)).toMatchObject({
      detail: expect.stringContaining(`${MAX_INSCRICOES}`),
    })
    expect(await own(vigilante)).toHaveLength(MAX_INSCRICOES)
  })

  it.each([
    'http://exemplo.com.br/envio',
    'https://127.0.0.2/envio',
    'https://[::1]/envio',
    'https://169.254.169.254/latest',
    'https://usuario:senha@exemplo.com.br/envio',
    'ftp://exemplo.com.br/envio',
  ])('refuse %s', async (endpoint) => {
    const body = { ...newPushBrowser(service).subscription(), endpoint }
    await vigilante.expect(422, 'POST', PATH, body)
    expect(await own(vigilante)).toEqual([])
  })

  it('reach the networks of the Empresa of their login, over https, as long as the operator names them', async () => {
    const body = { ...newPushBrowser(service).subscription(), endpoint: 'https://192.168.7.9/envio/1' }
    const empresa = `/api/v1/empresas/${conta.empresaId}`
    await vigilante.expect(422, 'POST', PATH, body)
    await app.operator.expect(200, 'PATCH', empresa, { redes_permitidas: ['192.168.7.0/24'] })
    await vigilante.expect(201, 'POST', PATH, body)
    for (const endpoint of ['http://192.168.7.9/envio/1', 'https://192.168.8.9/envio/1'])
      await vigilante.expect(422, 'POST', PATH, { ...body, endpoint })
    for (const by of [outra.admin, app.operator]) await by.expect(422, 'POST', PATH, body)
    await app.operator.expect(200, 'PATCH', empresa, { redes_permitidas: [] })
    const [inscricao] = await own(vigilante)
    expect(await vigilante.expect(200, 'POST', `${PATH}/${inscricao?.id}/teste`)).toMatchObject({
      ok: false,
      erros: [expect.stringContaining('rede interna')],
    })
  })

  it('refuse keys that are no keys', async () => {
    const body = newPushBrowser(service).subscription()
    for (const chaves of [
      { ...body.chaves, p256dh: `${body.chaves.p256dh}A` },
      { ...body.chaves, p256dh: 'A'.repeat(87) },
      { ...body.chaves, auth: '' },
    ])
      await vigilante.expect(422, 'POST', PATH, { ...body, chaves })
  })
})

describe('the signed address of a picture', () => {
  it('ends after seven days, and cannot be changed', async () => {
    const { browser } = await subscribe(vigilante)
    await confirmed({ ocorrido_em: app.clock.now() + 3 * HOUR })
    const [push] = await received(1)
    const imagem = (push && browser.read(push, chave).imagem) ?? ''
    const status = async (path: string) => (await fetch(`${app.url}${path}`)).status
    expect(await status(imagem)).toBe(200)
    expect(await status(`${imagem.slice(0, -6)}AA.jpg`)).toBe(404)
    expect(await status('/api/v1/imagens/x')).toBe(404)
    app.clock.advance(7 * 24 * HOUR)
    expect(await status(imagem)).toBe(410)
  })
})
