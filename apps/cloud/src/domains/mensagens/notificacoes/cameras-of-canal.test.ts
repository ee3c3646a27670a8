import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Backstage, openBackstage } from '../../../test/clouds/backstage.ts'
import { type Account, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { giveVerdict, seedPending } from '../../../test/records/queue-records.ts'
import { seedActivatedEdge } from '../../../test/records/records.ts'

let app: TestApp
let backstage: Backstage
let own: Account
let cameras: number[]
beforeAll(async () => {
  app = await startTestApp()
  backstage = await openBackstage(app)
})
beforeEach(async () => {
  own = await app.account('Própria')
  cameras = [await cameraOf(own), await cameraOf(own), await cameraOf(own)]
})
afterAll(async () => {
  await backstage.close()
  await app.stop()
})

const path = '/api/v1/notificacoes'
const destino = 'guarita@exemplo.com.br'
interface Canal {
  id: number
  camera_id: number | null
  camera_ids: number[]
}
const cameraOf = async ({ admin }: Account) => {
  const body = { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.1/1' }
  return (await admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', body)).id
}
const create = (body: object) =>
  own.admin.expect<Canal>(201, 'POST', path, { empresa_id: own.empresaId, tipo: 'email', destino, ...body })
const patch = (id: number, body: object) => own.admin.expect<Canal>(200, 'PATCH', `${path}/${id}`, body)
const read = (id: number) => own.admin.expect<Canal>(200, 'GET', `${path}/${id}`)
const refusal = async (method: string, where: string, body: object) => {
  const base = method === 'POST' ? { empresa_id: own.empresaId, tipo: 'email', destino } : {}
  const answer = await own.admin.send<{ detail: { loc: string[] }[] }>(method, where, { ...base, ...body })
  return [answer.status, answer.status === 422 ? answer.body.detail.map(({ loc }) => loc.join('.')) : null]
}

it('has one camera, several or all; one is also in the field of the contract', async () => {
  const [a = 0, b = 0] = cameras
  const { id } = await create({ camera_ids: [b, a] })
  expect(await read(id)).toMatchObject({ camera_id: null, camera_ids: [a, b] })
  expect(await patch(id, { nome: 'Guarita' })).toMatchObject({ camera_ids: [a, b] })
  expect(await patch(id, { camera_id: a })).toMatchObject({ camera_id: a, camera_ids: [a] })
  expect(await patch(id, { camera_ids: [a, b] })).toMatchObject({ camera_id: null, camera_ids: [a, b] })
  expect(await patch(id, { camera_ids: [b] })).toMatchObject({ camera_id: b, camera_ids: [b] })
  expect(await patch(id, { camera_id: null })).toMatchObject({ camera_id: null, camera_ids: [] })
  await patch(id, { camera_ids: [a, b] })
  // A client that knows one camera only writes back what it read.
  expect(await patch(id, { nome: 'Doca', camera_id: null })).toMatchObject({ camera_id: null, camera_ids: [a, b] })
  expect(await patch(id, { camera_ids: null })).toMatchObject({ camera_id: null, camera_ids: [] })
  expect(await create({ camera_id: a })).toMatchObject({ camera_id: a, camera_ids: [a] })
  expect(await create({ camera_id: a, camera_ids: [a] })).toMatchObject({ camera_id: a, camera_ids: [a] })
  expect(await create({ camera_id: null, camera_ids: [a, b] })).toMatchObject({ camera_id: null, camera_ids: [a, b] })
})

it('refuses two different answers, and cameras of others', async () => {
  const [a = 0, b = 0] = cameras
  const other = [422, ['body.camera_ids']]
  expect(await refusal('POST', path, { camera_id: a, camera_ids: [b] })).toEqual(other)
  expect(await refusal('POST', path, { camera_id: a, camera_ids: [] })).toEqual(other)
  expect(await refusal('POST', path, { camera_ids: [a, a] })).toEqual(other)
  const { id } = await create({ camera_ids: [a, b] })
  expect(await refusal('PATCH', `${path}/${id}`, { camera_id: a, camera_ids: [a, b] })).toEqual(other)
  const below = await app.account('Abaixo', own.admin)
  const alien = await cameraOf(await app.account('Alheia'))
  expect(await refusal('POST', path, { camera_ids: [a, await cameraOf(below)] })).toEqual(other)
  expect(await refusal('PATCH', `${path}/${id}`, { camera_ids: [a, alien] })).toEqual([404, null])
  expect(await refusal('PATCH', `${path}/${id}`, { empresa_id: below.empresaId })).toEqual(other)
  const many = Array.from({ length: 501 }, (_, i) => i + 1)
  expect(await refusal('PATCH', `${path}/${id}`, { camera_ids: many })).toEqual(other)
  expect(await read(id)).toMatchObject({ camera_ids: [a, b] })
})

it('reports the events of its cameras only', async () => {
  const [a = 0, b = 0, c = 0] = cameras
  const edgeId = await seedActivatedEdge(backstage.db, own.empresaId)
  const { id } = await create({ camera_ids: [a, b], agrupar: false })
  const seen: number[] = []
  for (const cameraId of [a, b, c]) {
    const evento = await seedPending(backstage.db, { empresaId: own.empresaId, edgeId, cameraId })
    await giveVerdict(backstage.db, evento)
  }
  const rows = await backstage.db.selectFrom('entregas').select('mensagem_json').where('canal_id', '=', id).execute()
  for (const { mensagem_json } of rows) seen.push(JSON.parse(mensagem_json).camera.id)
  expect(seen).toEqual([a, b])
})

it('loses a removed camera, and ends with its last one', async () => {
  const [a = 0, b = 0, c = 0] = cameras
  const { id } = await create({ camera_ids: [a, b, c] })
  const all = await create({})
  const remove = (camera: number) => own.admin.expect(204, 'DELETE', `/api/v1/cameras/${camera}`)
  await remove(a)
  expect(await read(id)).toMatchObject({ camera_id: null, camera_ids: [b, c] })
  await remove(b)
  expect(await read(id)).toMatchObject({ camera_id: c, camera_ids: [c] })
  await remove(c)
  expect((await own.admin.send('GET', `${path}/${id}`)).status).toBe(404)
  expect(await read(all.id)).toMatchObject({ camera_ids: [] })
  const log = await own.admin.expect<{ objeto: string; acao: string; antes: unknown; depois: unknown }[]>(
    200,
    'GET',
    `/api/v1/auditoria?objeto=canal_notificacao&objeto_id=${id}`,
  )
  expect(log.map(({ acao }) => acao)).toEqual(['remover', 'alterar', 'alterar', 'criar'])
  expect(log[2]).toMatchObject({ antes: { camera_ids: [a, b, c] }, depois: { camera_ids: [b, c] } })
})
