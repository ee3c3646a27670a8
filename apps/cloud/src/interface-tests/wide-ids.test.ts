import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Evento, EventoDetalhe } from '@vigia/contracts/eventos'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { connectAgent } from '../test/clients/agent-client.ts'
import { openSse } from '../test/clients/sse.ts'
import { openWs } from '../test/clients/ws.ts'
import { openBackstage } from '../test/clouds/backstage.ts'
import { startTestApp } from '../test/clouds/test-app.ts'

/** Ids of eventos: two near 1, the others above 31, 32 and almost 53 bits, with large gaps. */
const ids: number[] = []

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))

beforeAll(async () => {
  const camera = await backstage.camera(conta.empresaId)
  for (const start of [0, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER - 10]) {
    await backstage.db.updateTable('contador_eventos').set({ ultimo: start }).execute()
    for (let i = 0; i < 2; i += 1) ids.push(await backstage.event(camera))
  }
  for (const id of ids) await backstage.verdict(id, 'confirmado')
})

type Answer = { readonly body: Evento[]; readonly headers: Headers }
const newest = () => ids.toReversed()

it('lists and pages work with ids of any size and any gaps', async () => {
  expect(ids).toEqual([1, 2, 2 ** 31 + 1, 2 ** 31 + 2, 2 ** 32 + 1, 2 ** 32 + 2, 2 ** 53 - 10, 2 ** 53 - 9])
  const found: number[] = []
  let next: string | null = '/api/v1/events?limit=1'
  while (next !== null) {
    const { body, headers }: Answer = await conta.usuario.send<Evento[]>('GET', next)
    found.push(...body.map(({ id }) => id))
    next = /<(.*)>/.exec(headers.get('link') ?? '')?.[1] ?? null
  }
  expect(found).toEqual(newest())
  const offset = await conta.usuario.expect<Evento[]>(200, 'GET', '/api/v1/events?offset=6&tipo=invasao')
  expect(offset.map(({ id }) => id)).toEqual([2, 1])
})

it('an evento, its picture, its review and its audit record are accessible by such an id', async () => {
  const id = ids.at(-1) ?? 0
  expect((await conta.usuario.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)).id).toBe(id)
  expect((await conta.usuario.send('GET', `/api/v1/crops/${id}`)).status).toBe(200)
  const revisao = { rotulo_humano: 'confirmado', revisor: 'Ana' }
  await conta.admin.expect(200, 'POST', `/api/v1/events/${id}/revisao`, revisao)
  const records = await conta.admin.expect<RegistroAuditoria[]>(200, 'GET', `/api/v1/auditoria?objeto_id=${id}`)
  expect(records.map(({ acao, objeto_id }) => [acao, objeto_id])).toEqual([['revisar', id]])
})

it('a stream continues after such an id', async () => {
  const seen = ids.at(-3) ?? 0
  const missed = ids.slice(-2)
  const authorization = `Bearer ${conta.usuario.token}`
  const reader = await openSse(`${app.url}/api/v1/sse/alertas`, { authorization, 'last-event-id': String(seen) })
  expect((await reader.until('alerta', 2)).map(({ id }) => Number(id))).toEqual(missed)
  reader.close()
  const ws = await openWs(`${app.url.replace('http', 'ws')}/api/v1/ws/alertas?ultimo_id=${seen}`, { authorization })
  if (!('until' in ws)) throw new Error(`refused: ${ws.status}`)
  expect((await ws.until('alerta', 2)).map(({ id }) => id)).toEqual(missed)
  ws.close()
})

it('an agent works with such an id', async () => {
  const id = ids.at(-1) ?? 0
  const agent = await connectAgent(app, `administrador-${conta.empresaId}`)
  try {
    expect(await agent.expect('listar_eventos', { limite: 1 })).toMatchObject({ eventos: [{ id }] })
    expect(await agent.expect('obter_evento', { evento_id: id, imagem: 'nenhuma' })).toMatchObject({ evento: { id } })
    expect(await agent.expect('consultar_auditoria', { objeto: 'evento', objeto_id: id })).toMatchObject({ total: 1 })
  } finally {
    await agent.close()
  }
})

it('a passage, its photograph and its correction are accessible by such an id', async () => {
  const camera = await backstage.gateCamera(conta.empresaId)
  const low = await backstage.passagem(camera)
  const id = Number.MAX_SAFE_INTEGER - 5
  await backstage.db.updateTable('passagens').set({ id }).where('id', '=', low).execute()
  const path = `/api/v1/passagens/${id}`
  expect(await conta.admin.expect(200, 'GET', path)).toMatchObject({ id })
  expect((await conta.admin.send('GET', `${path}/foto?papel=veiculo`)).status).toBe(200)
  expect(await conta.admin.expect(200, 'POST', `${path}/correcao`, { placa: 'ABC1D24' })).toMatchObject({ id })
  expect(await conta.admin.expect(200, 'GET', '/api/v1/passagens?limit=1')).toMatchObject([{ id }])
  expect((await conta.admin.send('GET', '/api/v1/passagens/9007199254740992')).status).toBe(422)
})

it.each(['9007199254740992', '9007199254740993', '99999999999999999'])(
  'refuses %s, which is no safe integer',
  async (id) => {
    expect((await conta.usuario.send('GET', `/api/v1/events/${id}`)).status).toBe(422)
  },
)

it('ids that edges send have at most 31 bits', async () => {
  for (const path of ['cameras', 'empresas', 'edges', 'gravadores'])
    expect((await app.operator.send('GET', `/api/v1/${path}/2147483648`)).status).toBe(422)
})
