import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Entrega } from '@vigia/contracts/notificacoes'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Backstage, startWithBackstage } from '../../../test/clouds/backstage.ts'
import type { Account, TestApp } from '../../../test/clouds/test-app.ts'
import { type HttpReceiver, startHttpReceiver } from '../../../test/stand-ins/http-receiver.ts'

let app: TestApp
let backstage: Backstage
let hook: HttpReceiver
let own: Account
let foreign: Account
let canal: number
let camera: Awaited<ReturnType<Backstage['camera']>>
beforeAll(async () => {
  hook = await startHttpReceiver()
  ;({ app, backstage } = await startWithBackstage({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8' }))
  own = await app.account('Padaria')
  foreign = await app.account('Farmácia')
  const body = { empresa_id: own.empresaId, destinatarios: [`${hook.url}/1`, `${hook.url}/2`] }
  canal = (await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', body)).id
  camera = await backstage.camera(own.empresaId)
})
afterAll(async () => {
  await app.stop()
  await hook.close()
})

const path = () => `/api/v1/notificacoes/${canal}`
const list = () => own.admin.expect<Entrega[]>(200, 'GET', `${path()}/entregas`)
/** Two delivered notifications that become abandoned ones; the first one with its stopped work. */
async function abandoned(): Promise<Entrega[]> {
  const before = hook.received.length
  await backstage.verdict(await backstage.event(camera), 'confirmado')
  await waitFor('both', () => hook.received.length === before + 2)
  await waitFor('their end', async () => (await list()).slice(0, 2).every(({ estado }) => estado === 'entregue'))
  const entregas = (await list()).slice(0, 2)
  const ids = entregas.map(({ id }) => id)
  await backstage.db.updateTable('entregas').set({ estado: 'desistida' }).where('id', 'in', ids).execute()
  const work = { tipo: 'notificacao_lenta', chave: String(ids[0]), empresa_id: own.empresaId } as const
  const stopped = { estado: 'parado', em: null, prioridade: 0, criado_em: 1, posse: null } as const
  const failure = { erro: 'O servidor respondeu com erro (503).', erro_em: 1, faixa: null, grupo: null }
  await backstage.db
    .insertInto('trabalhos')
    .values({ ...work, ...stopped, ...failure, raiz_id: own.empresaId, tentativas: 9 })
    .execute()
  return entregas
}

it('sends one abandoned delivery again under its id, with an audit record', async () => {
  const [first, second] = await abandoned()
  const before = hook.received.length
  const url = `${path()}/entregas/${first?.id}/reenviar`
  expect((await own.usuario.send('POST', url)).status).toBe(403)
  expect((await foreign.admin.send('POST', url)).status).toBe(404)
  expect((await own.admin.send('POST', `${path()}/entregas/999999/reenviar`)).status).toBe(404)
  expect(await own.admin.expect(200, 'POST', url)).toEqual({ reenviadas: 1 })
  await waitFor('the delivery', () => hook.received.length === before + 1)
  await waitFor('its end', async () => (await list()).find(({ id }) => id === first?.id)?.estado === 'entregue')
  expect(hook.received.at(-1)?.headers['webhook-id']).toBe(hook.received[0]?.headers['webhook-id'])
  expect((await list()).find(({ id }) => id === second?.id)?.estado).toBe('desistida')
  expect((await own.admin.send('POST', url)).status).toBe(409)
  const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=repetir')
  expect(record).toMatchObject({ objeto: 'canal_notificacao', objeto_id: canal })
})

it('sends all abandoned deliveries to current destinations again', async () => {
  await abandoned()
  const before = hook.received.length
  await own.admin.expect(200, 'PATCH', path(), { destinatarios: [`${hook.url}/1`] })
  const waiting = (await list()).filter(({ estado }) => estado === 'desistida')
  const wanted = waiting.filter(({ destino }) => destino.endsWith('/1')).length
  expect(await own.admin.expect(200, 'POST', `${path()}/entregas/reenviar`)).toEqual({ reenviadas: wanted })
  await waitFor('the deliveries', () => hook.received.length === before + wanted)
  const removed = waiting.find(({ destino }) => destino.endsWith('/2'))
  const answer = await own.admin.send<{ detalhe: string }>('POST', `${path()}/entregas/${removed?.id}/reenviar`)
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([409, expect.stringContaining('não está mais no canal')])
  await own.admin.expect(200, 'PATCH', path(), { ativo: false })
  expect((await own.admin.send('POST', `${path()}/entregas/reenviar`)).status).toBe(409)
})
