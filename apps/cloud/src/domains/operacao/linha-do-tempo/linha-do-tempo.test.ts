import type { LinhaDoTempo } from '@vigia/contracts/linha-do-tempo'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const HOUR = 3_600_000
let now: number
let day: string

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const acima = fixture(() => app.account('Integradora'))
const conta = fixture(() => app.account('Padaria', acima.admin))
const outra = fixture(() => app.account('Farmácia'))
const camera = fixture(() => backstage.camera(conta.empresaId))

beforeAll(async () => {
  await backstage.camera(outra.empresaId)
  now = app.clock.now()
  day = `desde=${new Date(now - 20 * HOUR).toISOString()}&ate=${new Date(now + 4 * HOUR).toISOString()}`
})

const read = (by: Client, query = '') => by.expect<LinhaDoTempo>(200, 'GET', `/api/v1/linha-do-tempo?${day}${query}`)

it('has the incidentes and quedas of the day at each camera of the own Empresas', async () => {
  const early = await backstage.event(camera, { ocorrido_em: now - 21 * HOUR })
  const inside = await backstage.event(camera, { ocorrido_em: now - 2 * HOUR, gravidade: 'critica', tipo: 'fogo' })
  const queda = { empresa_id: conta.empresaId, edge_id: camera.edgeId, nome: 'Portão', motivo: 'sem_resposta' }
  await backstage.db
    .insertInto('quedas')
    .values([
      { ...queda, camera_id: camera.cameraId, inicio: now - 30 * HOUR, fim: now - 19 * HOUR },
      { ...queda, camera_id: camera.cameraId, inicio: now - 30 * HOUR, fim: now - 21 * HOUR },
      { ...queda, camera_id: camera.cameraId, inicio: now - HOUR, fim: null },
    ])
    .execute()
  const { cameras, total } = await read(conta.usuario)
  expect([total, cameras.length]).toEqual([1, 1])
  expect(cameras[0]?.incidentes).toMatchObject([
    { id: await backstage.incidenteOf(inside), tipos: ['fogo'], gravidade: 'critica', atendido: false },
  ])
  expect(cameras[0]?.incidentes.map(({ id }) => id)).not.toContain(await backstage.incidenteOf(early))
  expect(cameras[0]?.quedas.map(({ fim }) => fim)).toEqual([null, new Date(now - 19 * HOUR).toISOString()])
  expect((await read(app.operator)).total).toBe(2)
  expect((await read(app.operator, `&empresa_id=${outra.empresaId}`)).cameras[0]?.incidentes).toEqual([])
  expect((await read(app.operator, '&limit=1&pagina=2')).cameras).toHaveLength(1)
})

it('refuses a camera out of scope and a period longer than a day', async () => {
  const status = async (by: Client, query: string) => (await by.send('GET', `/api/v1/linha-do-tempo?${query}`)).status
  expect(await status(outra.admin, `${day}&camera_id=${camera.cameraId}`)).toBe(404)
  expect(await status(outra.admin, `${day}&empresa_id=${conta.empresaId}`)).toBe(404)
  expect(await status(conta.admin, 'desde=2026-01-01T00:00:00Z&ate=2026-01-03T00:00:00Z')).toBe(422)
  expect(await status(conta.admin, 'desde=2026-01-02T00:00:00Z&ate=2026-01-01T00:00:00Z')).toBe(422)
})

it('knows nothing of a tenant from before its creation, although others were watched', async () => {
  const { db } = backstage
  await db.deleteFrom('presencas').execute()
  const first = now - 400 * 24 * HOUR
  const row = { abaixo: 0, empresa_id: outra.empresaId, inicio: first, fim: first + HOUR } as const
  await db.insertInto('presencas').values(row).execute()
  const since = async (by: Client, query = '') => (await read(by, query)).registro_desde
  const criada = async (id: number) =>
    (await app.operator.expect<{ criada_em: string }>(200, 'GET', `/api/v1/empresas/${id}`)).criada_em
  expect(await since(conta.admin)).toBe(await criada(conta.empresaId))
  expect(await since(app.operator, `&empresa_id=${conta.empresaId}`)).toBe(await criada(conta.empresaId))
  expect(await since(app.operator)).toBe(new Date(first).toISOString())
})

it('knows when nobody had the page open, also nobody above', async () => {
  const { db } = backstage
  const rows = () => db.selectFrom('presencas').selectAll().orderBy('id').execute()
  const unwatched = async (by: Client) =>
    (await read(by, `&camera_id=${camera.cameraId}`)).sem_vigia[0]?.periodos.map(({ inicio, fim }) =>
      [inicio, fim].map((iso) => Math.round((10 * (Date.parse(iso) - now)) / HOUR) / 10 + 0),
    )
  await db.deleteFrom('presencas').execute()
  // They exist for longer than the day.
  await db
    .updateTable('empresas')
    .set({ criada_em: now - 48 * HOUR })
    .execute()
  expect(await unwatched(conta.admin)).toEqual([])

  const person = { abaixo: 0, empresa_id: outra.empresaId } as const
  await db
    .insertInto('presencas')
    .values([
      { ...person, inicio: now - 19 * HOUR, fim: now - 18 * HOUR },
      { empresa_id: acima.empresaId, abaixo: 1, inicio: now - 10 * HOUR, fim: now - 8 * HOUR },
      { empresa_id: acima.empresaId, abaixo: 0, inicio: now - 8 * HOUR, fim: now - 7 * HOUR },
      { empresa_id: conta.empresaId, abaixo: 0, inicio: now - 5 * HOUR, fim: now - 4 * HOUR },
    ])
    .execute()
  expect(await unwatched(conta.admin)).toEqual([
    [-19, -10],
    [-8, -5],
    [-4, 0],
  ])

  const before = (await rows()).length
  const login = { username: 'vigia-da-noite', senha: SENHA, papel: 'vigilante' }
  await conta.admin.expect(201, 'POST', '/api/v1/usuarios', login)
  const guard = await app.signIn('vigia-da-noite')
  const streams = await Promise.all(
    [guard, guard, conta.usuario].map(({ token }) =>
      openSse(`${app.url}/api/v1/sse/alertas`, { authorization: `Bearer ${token}` }),
    ),
  )
  const row = await waitFor('the presence', async () => (await rows())[before])
  expect(row).toMatchObject({ empresa_id: conta.empresaId, abaixo: 0 })
  // The clock of the test runs.
  expect(((row?.inicio ?? 0) - now) / HOUR).toBeCloseTo(0, 1)
  app.clock.advance(0.3 * HOUR)
  for (const stream of streams) stream.close()
  await waitFor('its end', async () => ((await rows())[before]?.fim ?? 0) >= now + 0.3 * HOUR)
  expect(await rows()).toHaveLength(before + 1)
  app.clock.advance(0.3 * HOUR)
  expect(await unwatched(conta.admin)).toEqual([
    [-19, -10],
    [-8, -5],
    [-4, 0],
    [0.3, 0.6],
  ])
})

it('does not count an API key as a person', async () => {
  const { db } = backstage
  const before = await db.selectFrom('presencas').selectAll().execute()
  const chave = { nome: 'ERP', escopo: 'leitura', empresa_id: conta.empresaId }
  const { chave: token } = await conta.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', chave)
  const stream = await openSse(`${app.url}/api/v1/sse/alertas`, { authorization: `Bearer ${token}` })
  stream.close()
  await stream.ended
  expect(await db.selectFrom('presencas').selectAll().execute()).toEqual(before)
})

it('counts a person with a list at each of its Empresas, and at no other', async () => {
  const { db } = backstage
  await db.deleteFrom('presencas').execute()
  const list = [conta.empresaId, outra.empresaId]
  const login = {
    username: 'central',
    senha: SENHA,
    papel: 'administrador',
    empresa_id: acima.empresaId,
    alcance: list,
  }
  const { id } = await app.operator.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', login)
  const { token } = await app.signIn('central')
  const stream = await openSse(`${app.url}/api/v1/sse/alertas`, { authorization: `Bearer ${token}` })
  const rows = () => db.selectFrom('presencas').selectAll().orderBy('empresa_id').execute()
  await waitFor('both presences', async () => (await rows()).length >= 2)
  const changedAt = app.clock.now()
  await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { alcance: [conta.empresaId] })
  // Its last write is that of the change.
  await waitFor('the end at the lost Empresa', async () => (await rows()).some((row) => row.fim >= changedAt))
  app.clock.advance(0.3 * HOUR)
  stream.close()
  await waitFor('the end', async () => (await rows()).some((row) => row.fim >= changedAt + 0.3 * HOUR))
  const ends = (await rows()).map(({ empresa_id, abaixo, fim }) => [empresa_id, abaixo, fim >= changedAt + 0.3 * HOUR])
  expect(ends).toEqual([
    [conta.empresaId, 0, true],
    [outra.empresaId, 0, false],
  ])
})
