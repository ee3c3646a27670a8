import type { Entrega } from '@vigia/contracts/notificacoes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Backstage, startWithBackstage } from '../../../test/clouds/backstage.ts'
import type { Account, TestApp } from '../../../test/clouds/test-app.ts'

let app: TestApp
let backstage: Backstage
let own: Account
let path: string
beforeAll(async () => {
  ;({ app, backstage } = await startWithBackstage())
  own = await app.account('Própria')
  const canal = { empresa_id: own.empresaId, nome: 'Guarita', destino: 'https://gancho.exemplo.com.br/x' }
  const { id } = await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', canal)
  path = `/api/v1/notificacoes/${id}/entregas`
  const camera = await backstage.camera(own.empresaId)
  for (let i = 0; i < 3; i += 1) await backstage.verdict(await backstage.event(camera), 'confirmado')
  const set = (order: number, values: object) =>
    backstage.db
      .updateTable('entregas')
      .set(values)
      .where('id', '=', (eb) =>
        eb.selectFrom('entregas').select('id').where('canal_id', '=', id).orderBy('id').limit(1).offset(order),
      )
      .execute()
  await set(0, { estado: 'entregue', terminada_em: 1_000 })
  await set(1, { estado: 'desistida', terminada_em: 2_000, erro: 'Sem resposta.', erro_em: 2_000 })
})
afterAll(() => app.stop())

it('lists the deliveries of a canal, newest first, with the subject of each', async () => {
  const list = await own.usuario.expect<Entrega[]>(200, 'GET', path)
  expect(list.map(({ estado }) => estado)).toEqual(['pendente', 'desistida', 'entregue'])
  expect(list[1]).toEqual({
    id: expect.any(Number),
    destino: 'https://gancho.exemplo.com.br/x',
    estado: 'desistida',
    tipo: 'evento.confirmado',
    evento: { id: expect.any(Number), tipo: expect.any(String) },
    incidente_id: expect.any(Number),
    incidentes: null,
    resumo_id: null,
    camera_nome: expect.any(String),
    edge_nome: null,
    criada_em: expect.stringMatching(/Z$/),
    terminada_em: '1970-01-01T00:00:02.000Z',
    erro: 'Sem resposta.',
    erro_em: '1970-01-01T00:00:02.000Z',
  })
})

it('gives one state, and pages', async () => {
  const failed = await own.admin.send<Entrega[]>('GET', `${path}?estado=desistida`)
  expect([failed.headers.get('x-total-count'), failed.body.length]).toEqual(['1', 1])
  const first = await own.admin.send<Entrega[]>('GET', `${path}?limit=2`)
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const rest = await own.admin.expect<Entrega[]>(200, 'GET', next)
  expect(rest.map(({ estado }) => estado)).toEqual(['entregue'])
  expect((await own.admin.send('GET', `${path}?estado=perdida`)).status).toBe(422)
})

it('is not found outside the scope', async () => {
  const foreign = await app.account('Alheia')
  expect((await foreign.admin.send('GET', path)).status).toBe(404)
  expect((await own.admin.send('GET', '/api/v1/notificacoes/999999/entregas')).status).toBe(404)
})

it('shows an outage with its camera and edge', async () => {
  const mensagem = { tipo: 'edge.offline', camera: null, edge: { id: 1, nome: 'Caixa' }, queda: {} }
  await backstage.db
    .updateTable('entregas')
    .set({ mensagem_json: JSON.stringify(mensagem) })
    .where('estado', '=', 'entregue')
    .execute()
  const [entrega] = await own.admin.expect<Entrega[]>(200, 'GET', `${path}?estado=entregue`)
  expect(entrega).toMatchObject({ tipo: 'edge.offline', evento: null, camera_nome: null, edge_nome: 'Caixa' })
})

it('names the canal by its own name in the audit log, and null removes the name', async () => {
  const log = await own.admin.expect<{ objeto_nome: string }[]>(
    200,
    'GET',
    '/api/v1/auditoria?objeto=canal_notificacao',
  )
  expect(log[0]?.objeto_nome).toBe('Guarita')
  const canal = path.replace('/entregas', '')
  expect(await own.admin.expect(200, 'PATCH', canal, { nome: null })).toMatchObject({ nome: '' })
  expect((await own.admin.send('PATCH', canal, { nome: 'x'.repeat(81) })).status).toBe(422)
})
