import { randomUUID } from 'node:crypto'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { ModoBConfig } from '@vigia/contracts/cameras'
import { corpoWebhookSchema } from '@vigia/contracts/notificacoes'
import type { Passagem } from '@vigia/contracts/passagens'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { waitFor } from '@vigia/testing/wait'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Backstage, openBackstage, type SeededCamera } from '../../../test/clouds/backstage.ts'
import { type Account, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { type NotificationServices, startNotificationServices } from '../../../test/stand-ins/notification-services.ts'

let services: NotificationServices
let app: TestApp
let backstage: Backstage
let own: Account
let camera: SeededCamera
let canal: { readonly id: number; readonly segredo: string }
beforeAll(async () => {
  services = await startNotificationServices()
  app = await startTestApp(services.env)
  backstage = await openBackstage(app)
})
beforeEach(async () => {
  own = await app.account('Padaria')
  camera = await backstage.camera(own.empresaId)
  canal = await newCanal({ destino: `${services.hook.url}/portao` })
  await list('permitida')
})
afterAll(async () => {
  await backstage.close()
  await app.stop()
  await services.close()
})

const newCanal = (body: object) =>
  own.admin.expect<{ id: number; segredo: string }>(201, 'POST', '/api/v1/notificacoes', {
    empresa_id: own.empresaId,
    tipos_evento: [],
    ...body,
  })
const list = (lista: 'permitida' | 'bloqueada') =>
  own.admin.expect(201, 'POST', '/api/v1/placas', {
    placa: 'ABC1D23',
    lista,
    dono: 'Apartamento 42',
    empresa_id: own.empresaId,
  })
const configure = (portao: ModoBConfig['portao'], by = own.admin) =>
  by.send('PATCH', `/api/v1/cameras/${camera.cameraId}`, { modo_b_config: { ativo: true, portao } })
const placa = { placa: 'ABC1D23', pais: 'BR', forma: 'mercosul' as const, confianca: 0.99 }
const pass = (change: Partial<RegistroPassagem> = {}) => {
  const now = app.clock.now()
  return backstage.passagem(camera, { placa, inicio: now, ocorrido_em: now, ...change })
}
const openings = async () =>
  (await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=passagem&acao=abrir_portao')).map(
    ({ depois }) => depois?.resultado,
  )
const hooks = () => services.hook.received.filter(({ path }) => path === '/portao')

it('opens once for a passage, by a signed webhook, and records it', async () => {
  expect((await configure({ canal_id: canal.id, conf: 0.97 })).status).toBe(200)
  const passagem = randomUUID()
  const id = await pass({ passagem })
  await waitFor('the record of the opening', async () => (await openings()).length > 0)
  const [first] = hooks().slice(-1)
  const body = corpoWebhookSchema.parse(new Webhook(canal.segredo).verify(first?.body ?? '', first?.headers ?? {}))
  expect(body).toMatchObject({
    tipo: 'portao.abrir',
    empresa: { id: own.empresaId },
    camera: { id: camera.cameraId },
    passagem: { id, placa: 'ABC1D23', dono: 'Apartamento 42', confianca: 0.99 },
  })
  const before = hooks().length
  await pass({ passagem, revisao: 2 })
  const work = backstage.db.selectFrom('trabalhos').select('id').where('tipo', '=', 'portao')
  expect(await work.where('empresa_id', '=', own.empresaId).execute()).toEqual([])
  expect(hooks().length).toBe(before)
  expect(await openings()).toEqual([`Pedido enviado ao canal ${canal.id}.`])
  const shown = await own.admin.expect<Passagem>(200, 'GET', `/api/v1/passagens/${id}`)
  expect(shown.portao_em).toEqual(expect.any(String))
})

it('stays shut for a similar plate, a doubtful reading, an old record, and where no gate is set', async () => {
  const shut = async (change: Partial<RegistroPassagem>) => {
    const id = await pass(change)
    return (await own.admin.expect<Passagem>(200, 'GET', `/api/v1/passagens/${id}`)).portao_em
  }
  expect(await shut({})).toBeNull()
  await configure({ canal_id: canal.id, conf: 0.97 })
  expect(await shut({ placa: { ...placa, placa: 'ABC1D28' } })).toBeNull()
  expect(await shut({ placa: { ...placa, confianca: 0.96 } })).toBeNull()
  expect(await shut({ ocorrido_em: app.clock.now() - 60_000 })).toBeNull()
  expect(await shut({})).not.toBeNull()
})

it('gives up after its time when nobody answers, and records that the gate stayed shut', async () => {
  const broken = await newCanal({ destino: 'http://127.0.0.1:1/portao' })
  await configure({ canal_id: broken.id, conf: 0.97 })
  await pass()
  await waitFor('the record of the opening', async () => {
    app.clock.advance(1_000)
    return (await openings()).length > 0
  })
  expect(await openings()).toEqual([expect.stringMatching(/^O portão ficou fechado/)])
})

it('refuses a canal of another Empresa, one that people read, and a low threshold', async () => {
  const foreign = await app.account('Alheia')
  const { id: theirs } = await foreign.admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', {
    empresa_id: foreign.empresaId,
    tipos_evento: [],
    destino: `${services.hook.url}/x`,
  })
  const email = await newCanal({ tipo: 'email', destino: 'guarita@exemplo.com.br' })
  for (const portao of [
    { canal_id: theirs, conf: 0.97 },
    { canal_id: email.id, conf: 0.97 },
    { canal_id: canal.id, conf: 0.5 },
  ])
    expect((await configure(portao)).status).toBe(422)
  expect((await configure({ canal_id: canal.id, conf: 0.97 }, own.usuario)).status).toBe(403)
})
