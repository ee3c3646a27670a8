import type { FilaVerificacao, Pendencia } from '@vigia/contracts/pendencias'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, expect, it } from 'vitest'
import { transact } from '../../../db/transaction.ts'
import { enqueueWork } from '../../../db/work-queue/queue.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { startHttpReceiver } from '../../../test/stand-ins/http-receiver.ts'

const HOUR = 3_600_000
const PATH = '/api/v1/pendencias'
let status: number

beforeAll(async () => {
  status = 503
})

const hook = fixture(() => startHttpReceiver((response) => response.writeHead(status).end()))
const app = fixture(() => startTestApp({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8' }))
const backstage = fixture(() => openBackstage(app))
const acima = fixture(() => app.account('Integradora'))
const own = fixture(() => app.account('Loja', acima.admin))
const foreign = fixture(() => app.account('Farmácia'))

const list = (by = own.admin, query = '') => by.expect<Pendencia[]>(200, 'GET', PATH + query)
const retry = async (ids: number[], by = own.admin) =>
  (await by.expect<{ ids: number[] }>(200, 'POST', `${PATH}/repetir`, { ids })).ids

it('shows an abandoned notification with its reason and sends it on a manual retry', async () => {
  const { id: canal_id } = await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', {
    empresa_id: own.empresaId,
    destino: hook.url,
  })
  const evento_id = await backstage.event(await backstage.camera(own.empresaId))
  await backstage.verdict(evento_id, 'confirmado')
  await waitFor('the first try', () => hook.received.length === 1)
  expect(await list()).toEqual([])
  // The work item becomes 25 h old without a move of the clock, so that the sessions stay valid.
  const tried = backstage.db
    .updateTable('trabalhos')
    .set({ em: 0, criado_em: app.clock.now() - 25 * HOUR })
    .where('tipo', 'in', ['notificacao', 'notificacao_lenta'])
    .where('estado', '=', 'recuo')
  await waitFor('the next try', async () => (await tried.executeTakeFirstOrThrow()).numUpdatedRows > 0n)
  const [pendencia] = await waitFor('the end', async () => {
    const found = await list()
    return found.length > 0 && found
  })
  expect(pendencia).toMatchObject({
    tipo: 'notificacao',
    empresa_id: own.empresaId,
    evento_id,
    canal_id,
    camera_nome: 'Portão',
    tentativas: 2,
    motivo: 'O servidor respondeu com erro (503).',
    proxima_em: null,
  })
  status = 204
  expect(await retry([pendencia?.id ?? 0])).toEqual([pendencia?.id])
  await waitFor('the delivery', () => hook.received.length === 3)
  expect(await list()).toEqual([])
  expect(await retry([pendencia?.id ?? 0])).toEqual([])
  const canal = `/api/v1/notificacoes/${canal_id}`
  await waitFor('its mark', async () => {
    const { entregas } = await own.admin.expect<{ entregas: { entregues: number; desistidas: number } }>(
      200,
      'GET',
      canal,
    )
    return entregas.entregues === 1 && entregas.desistidas === 0
  })
})

it('lists stopped work in scope, newest first, by tipo and in pages', async () => {
  const [a, b] = [await backstage.stopped(own.empresaId), await backstage.stopped(own.empresaId)]
  const other = await backstage.stopped(foreign.empresaId)
  expect((await list()).map(({ id }) => id)).toEqual([b, a])
  expect((await list(acima.admin)).map(({ id }) => id)).toEqual([b, a])
  expect((await list(app.operator)).map(({ id }) => id)).toEqual([other, b, a])
  expect(await list(own.admin, '?tipo=notificacao')).toEqual([])
  expect((await list(own.admin, '?limit=1')).map(({ id }) => id)).toEqual([b])
  expect((await own.admin.send('GET', `${PATH}?empresa_id=${foreign.empresaId}`)).status).toBe(404)
  expect((await own.usuario.send('GET', PATH)).status).toBe(403)
  expect((await own.usuario.send('POST', `${PATH}/repetir`, { ids: [a] })).status).toBe(403)
  expect((await own.admin.send('POST', `${PATH}/repetir`, { ids: [] })).status).toBe(422)
  expect(await retry([a, b, other], foreign.admin)).toEqual([other])
  expect(await retry([a, b], acima.admin)).toEqual([a, b])
})

it('returns the age of the oldest event without a verdict by Empresa in scope, with a warning', async () => {
  // The test has an Empresa of its own, because retried work of other tests may still wait.
  const fresh = await app.account('Nova', acima.admin)
  const camera = await backstage.camera(fresh.empresaId)
  const evento = await backstage.event(camera)
  const later = app.clock.now() + 2 * HOUR
  const work = {
    tipo: 'verificacao',
    chave: String(evento),
    empresaId: fresh.empresaId,
    prioridade: 1,
    em: later,
  } as const
  await transact(backstage.db, (tx) => enqueueWork(tx, [work], app.clock.now()))
  const states = (by = fresh.usuario) => by.expect<FilaVerificacao[]>(200, 'GET', '/api/v1/verificacao')
  expect(await states()).toMatchObject([{ empresa_id: fresh.empresaId, esperando: 1, atrasada: false }])
  expect(await states(foreign.usuario)).toEqual([])
  app.clock.advance(HOUR / 2)
  const state = (await states(acima.admin)).find(({ empresa_id }) => empresa_id === fresh.empresaId)
  expect(state).toMatchObject({ esperando: 1, atrasada: true, espera_s: expect.any(Number) })
  expect(state?.espera_s).toBeGreaterThanOrEqual(1800)
})
