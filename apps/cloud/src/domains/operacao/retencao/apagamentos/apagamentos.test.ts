import type { Apagamento, ContagemApagamento } from '@vigia/contracts/apagamentos'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, expect, it } from 'vitest'
import { openBackstage } from '../../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../../test/clouds/test-app.ts'

const HOUR_MS = 3_600_000
let path: string

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Loja'))

beforeAll(async () => {
  path = `/api/v1/empresas/${conta.empresaId}/apagamentos`
})

const instant = (ms: number) => new Date(ms).toISOString()
const count = (inicio: number, fim: number, cameras = '') =>
  conta.admin.expect<ContagemApagamento>(
    200,
    'GET',
    `${path}/contagem?inicio=${instant(inicio)}&fim=${instant(fim)}${cameras}`,
  )
const recorded = (id: number) =>
  backstage.db.updateTable('cameras').set({ gravacao_continua: 1 }).where('id', '=', id).execute()
const erasedOf = async (id: number) => {
  const query = backstage.db.selectFrom('cameras').select('gravacao_apagada_json').where('id', '=', id)
  return JSON.parse((await query.executeTakeFirstOrThrow()).gravacao_apagada_json)
}
const exists = async (id: number) =>
  (await backstage.db.selectFrom('eventos').select('id').where('id', '=', id).execute()).length > 0

it('counts, deletes what was counted, keeps preserved events, and records the numbers', async () => {
  const now = app.clock.now()
  const camera = await backstage.camera(conta.empresaId)
  const other = await backstage.camera(conta.empresaId)
  const at = (hours: number) => ({ ocorrido_em: now - hours * HOUR_MS })
  const gone = await backstage.event(camera, at(10))
  await backstage.clip(gone)
  const held = await backstage.event(camera, at(9))
  const before = await backstage.event(camera, at(20))
  const elsewhere = await backstage.event(other, at(10))
  const link = await backstage.pictureLink(gone)
  const hold = { motivo: 'Boletim 1', ate: instant(now + 24 * HOUR_MS) }
  await conta.admin.expect(200, 'POST', `/api/v1/events/${held}/preservar`, hold)

  const [inicio, fim] = [now - 12 * HOUR_MS, now - HOUR_MS]
  expect(await count(inicio, fim)).toMatchObject({ eventos: 2, preservados: 1 })
  const counted = await count(inicio, fim, `&cameras=${camera.cameraId}`)
  expect(counted).toMatchObject({ eventos: 1, clipes: 1, gravacoes: 0, preservados: 1, preservados_ids: [held] })
  expect(counted.de).toBe(instant(now - 10 * HOUR_MS))

  const { eventos, gravacoes, preservados } = counted
  await recorded(camera.cameraId)
  await recorded(other.cameraId)
  const body = {
    cameras: [camera.cameraId],
    inicio: instant(inicio),
    fim: instant(fim),
    motivo: 'Pedido 12',
    contagem: { eventos, gravacoes, preservados },
  }
  expect((await conta.usuario.send('POST', path, body)).status).toBe(403)
  const other409 = await conta.admin.send('POST', path, { ...body, contagem: { ...body.contagem, eventos: 2 } })
  expect([other409.status, await exists(gone)]).toEqual([409, true])
  const { id } = await conta.admin.expect<Apagamento>(202, 'POST', path, body)
  expect([await erasedOf(camera.cameraId), await erasedOf(other.cameraId)]).toEqual([[{ de: inicio, ate: fim }], []])

  const ended = await waitFor('the end of the deletion', async () => {
    const list = await conta.admin.expect<Apagamento[]>(200, 'GET', path)
    return list.find((each) => each.id === id && each.estado === 'concluido')
  })
  expect(ended).toMatchObject({ total: 1, eventos: 1, preservados: 1, pedido_por: expect.any(String) })
  expect(await Promise.all([gone, held, before, elsewhere].map(exists))).toEqual([false, true, true, true])
  expect((await fetch(`${app.url}/api/v1/imagens/${link}`)).status).toBe(410)
  const query = `/api/v1/auditoria?objeto=apagamento&objeto_id=${id}`
  const records = await conta.admin.expect<RegistroAuditoria[]>(200, 'GET', query)
  expect(records).toMatchObject([
    { acao: 'alterar', canal: 'sistema', depois: { estado: 'concluido', eventos: 1, preservados: 1 } },
    { acao: 'criar', depois: { motivo: 'Pedido 12', eventos_contados: 1 } },
  ])
})

it('deletes recordings that overlap the period and has the edge discard their copies', async () => {
  const gravacao = await backstage.gravacao(conta.empresaId)
  const now = app.clock.now()
  const row = await backstage.db
    .selectFrom('gravacoes')
    .selectAll()
    .where('id', '=', gravacao)
    .executeTakeFirstOrThrow()
  const period = { inicio: now - 30_000, fim: now }
  const counted = await count(period.inicio, period.fim, `&cameras=${row.camera_id}`)
  expect(counted.gravacoes).toBe(1)
  const { eventos, gravacoes, preservados } = counted
  await conta.admin.expect(202, 'POST', path, {
    cameras: [row.camera_id],
    inicio: instant(period.inicio),
    fim: instant(period.fim),
    motivo: 'Pedido 13',
    contagem: { eventos, gravacoes, preservados },
  })
  await waitFor('the deletion', async () => {
    const [newest] = await conta.admin.expect<Apagamento[]>(200, 'GET', path)
    return newest?.estado === 'concluido' && newest.gravacoes === 1
  })
  const left = await backstage.db.selectFrom('clipes').select('id').where('id', '=', row.clipe_id).execute()
  expect(left.length).toBe(eventos === 1 ? 0 : 1)
})

it('refuses a period without end, one in the future, and other accounts', async () => {
  const now = app.clock.now()
  const query = (inicio: number, fim: number) => `${path}/contagem?inicio=${instant(inicio)}&fim=${instant(fim)}`
  expect((await conta.admin.send('GET', query(now, now - 1))).status).toBe(422)
  expect((await conta.admin.send('GET', query(now, now + 60_000))).status).toBe(422)
  expect((await conta.admin.send('GET', `${query(now - 2, now - 1)}&cameras=a`)).status).toBe(422)
  const other = await app.account('Outra')
  expect((await other.admin.send('GET', query(now - 2, now - 1))).status).toBe(404)
})
