import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Empresa } from '@vigia/contracts/empresas'
import type { Evento, EventoDetalhe } from '@vigia/contracts/eventos'
import type { Incidente, IncidenteDetalhe } from '@vigia/contracts/incidentes'
import type { Me } from '@vigia/contracts/sessoes'
import { fixture } from '@vigia/testing/fixture'
import { newPushBrowser, startPushService } from '@vigia/testing/push-service'
import { unzip } from '@vigia/testing/unzip'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectAgent } from '../../../test/clients/agent-client.ts'
import { type Client, clientOf } from '../../../test/clients/client.ts'
import { startQuiosque } from '../../../test/clients/quiosque.ts'
import { streamedText } from '../../../test/clients/sse.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const LISTED = { dono: 'Morador do 42', nota: 'Furtada em maio' }
let passagem: number
let id: number
let incidenteId: number
const app = fixture(() => startTestApp({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.1/32' }))
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Própria'))
const vigilante = fixture(() => app.vigilante(own))

beforeAll(async () => {
  await own.admin.expect(201, 'POST', '/api/v1/placas', { placa: 'ABC1D23', lista: 'bloqueada', ...LISTED })
  ;({ passagem, evento: id } = await pass())
  incidenteId = await backstage.incidenteOf(id)
  await backstage.clip(id)
})

/** A passage of the blocked plate at a new camera, and its event. */
async function pass() {
  const camera = await backstage.gateCamera(own.empresaId)
  const passagem = await backstage.passagem(camera, { ocorrido_em: app.clock.now() })
  const { evento_id } = await backstage.db
    .selectFrom('passagens')
    .select('evento_id')
    .where('id', '=', passagem)
    .executeTakeFirstOrThrow()
  if (evento_id === null) throw new Error('the passage has no event')
  return { passagem, evento: evento_id }
}
const hide = (esconder_placas_vigilante: boolean, by = own.admin, empresaId = own.empresaId) =>
  by.send<Empresa>('PATCH', `/api/v1/empresas/${empresaId}`, { esconder_placas_vigilante })
const statusOf = async (by: Client, path: string, method = 'GET') => (await by.send(method, `/api/v1${path}`)).status

/** Routes that only show plates or pictures of them. */
const shown = () => [
  '/passagens',
  '/passagens/exportar',
  `/passagens/${passagem}`,
  `/passagens/${passagem}/foto`,
  '/passagens/presentes',
  '/passagens/percurso?placa=ABC1D23',
  '/placas',
  '/placas/exportar',
  `/crops/${id}`,
  `/events/${id}/clip`,
  '/busca/eventos?texto=ABC1D23',
  '/busca/incidentes?texto=ABC1D23',
]
/** Neither the plate nor what its list says of it. */
const expectHidden = (text: string) => {
  for (const hidden of ['ABC1D23', LISTED.dono, LISTED.nota]) expect(text).not.toContain(hidden)
}
const statuses = (by: Client) => Promise.all(shown().map((path) => statusOf(by, path)))

it('shows plates to a vigilante by default', async () => {
  const empresa = await own.admin.expect<Empresa>(200, 'GET', `/api/v1/empresas/${own.empresaId}`)
  expect(empresa.esconder_placas_vigilante).toBe(false)
  expect(new Set(await statuses(vigilante))).toEqual(new Set([200]))
  const evento = await vigilante.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)
  expect(evento).toMatchObject({ detalhes: { placa: 'ABC1D23', ...LISTED }, clip_url: `/api/v1/events/${id}/clip` })
  expect((await vigilante.expect<Me>(200, 'GET', '/api/v1/me')).ve_placas).toBe(true)
  for (const incidente of await incidentes())
    expect(incidente.placa).toEqual({ texto: 'ABC1D23', lista: 'bloqueada', ...LISTED })
})

/** The incidente by each route that shows one. */
async function incidentes(): Promise<readonly Incidente[]> {
  const path = '/api/v1/incidentes'
  const one = await vigilante.expect<Incidente>(200, 'GET', `${path}/${incidenteId}`)
  const list = await vigilante.expect<Incidente[]>(200, 'GET', path)
  const query = '/api/v1/busca/incidentes?texto=placa'
  const found = await vigilante.expect<{ itens: Incidente[] }>(200, 'GET', query)
  const answered = await vigilante.expect<Incidente>(200, 'POST', `${path}/${incidenteId}/atendimento`, {
    resposta: 'nao_sei',
  })
  expect([list.length, found.itens.length]).toEqual([1, 1])
  return [one, answered, ...list, ...found.itens]
}

it('is a rule that an administrador sets, and that the audit log records', async () => {
  expect((await hide(true, vigilante)).status).toBe(403)
  expect((await hide(true, own.usuario)).status).toBe(403)
  const foreign = await app.account('Alheia')
  expect((await hide(true, foreign.admin)).status).toBe(404)
  expect((await hide(true)).body.esconder_placas_vigilante).toBe(true)
  const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=empresa')
  expect(record).toMatchObject({
    antes: { esconder_placas_vigilante: false },
    depois: { esconder_placas_vigilante: true },
  })
})

describe('an Empresa that hides plates from its vigilantes', () => {
  beforeAll(async () => void (await hide(true)))

  it('refuses them passages, lists, presences, pictures, clips and searches, in an open session', async () => {
    expect(new Set(await statuses(vigilante))).toEqual(new Set([403]))
    expect(new Set(await statuses(own.admin))).toEqual(new Set([200]))
    const { body } = await vigilante.send('GET', '/api/v1/passagens')
    expect(body).toMatchObject({ detail: 'Este login não vê placas de veículos. Fale com o administrador.' })
    for (const path of [`/passagens/${passagem}/correcao`, `/passagens/${passagem}/saida`])
      expect(
        (await vigilante.send('POST', `/api/v1${path}`, path.endsWith('correcao') ? { placa: null } : {})).status,
      ).toBe(403)
    expect(await statusOf(vigilante, `/events/${id}/clip`, 'POST')).toBe(403)
    expect(await statusOf(vigilante, `/events/${id}/strip`)).toBe(403)
    expect((await vigilante.expect<Me>(200, 'GET', '/api/v1/me')).ve_placas).toBe(false)
  })

  it('masks the event for them', async () => {
    const detail = await vigilante.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)
    const list = await vigilante.expect<Evento[]>(200, 'GET', '/api/v1/events')
    const incidente = await vigilante.expect<IncidenteDetalhe>(200, 'GET', `/api/v1/incidentes/${incidenteId}`)
    const found = await vigilante.expect<{ itens: Evento[] }>(200, 'GET', '/api/v1/busca/eventos')
    for (const evento of [detail, ...list, ...incidente.lista, ...found.itens])
      expect(evento).toMatchObject({ id, detalhes: { placa: 'ABC****' }, crop_url: null, clip_url: null })
    expect(detail).toMatchObject({
      crop_path: null,
      evidencias: [],
      strip_url: null,
      clip_estado: 'nunca',
      clip_deslocamento_ms: null,
      clip_detalhe: 'Sem clipe: este login não vê placas de veículos.',
    })
    expectHidden(JSON.stringify([detail, list, incidente, found]))
    for (const each of await incidentes()) expect(each.placa).toEqual({ texto: 'ABC****', lista: 'bloqueada' })
  })

  it('masks their alert stream', async () => {
    const events = { query: 'todos=true&incidentes=true', until: ['event: incidente', '"ABC****"'] }
    const text = await streamedText(app.url, vigilante.token, events)
    expect(text).toContain('ABC****')
    expectHidden(text)
  })

  it('leaves plates out of their exports', async () => {
    const headers = { authorization: `Bearer ${vigilante.token}` }
    const response = await fetch(`${app.url}/api/v1/incidentes/${incidenteId}/exportar`, { headers })
    const files = unzip(Buffer.from(await response.arrayBuffer()))
    expect(Object.keys(files)).toContain(`eventos/${id}/evento.json`)
    expect(Object.keys(files).filter((name) => /\.(jpg|mp4)/.test(name))).toEqual([])
    expectHidden(Buffer.concat(Object.values(files)).toString())
  })

  it('masks what their agents read', async () => {
    const agent = await connectAgent(app, 'rui')
    const refused = await agent.call('consultar_placas', {})
    expect(refused).toMatchObject({ recusado: true, texto: expect.stringContaining('não vê placas') })
    const evento = await agent.call('obter_evento', { evento_id: id })
    expect(evento).toMatchObject({ recusado: false, imagens: [], texto: expect.stringContaining('ABC****') })
    expectHidden(evento.texto)
    await agent.close()
  })

  it('masks the event for a screen of their role', async () => {
    const login = { username: `administrador-${own.empresaId}`, senha: SENHA }
    const screen = await startQuiosque(app.url, login, { nome: 'Guarita', papel: 'vigilante' })
    const evento = await screen.client.expect<Evento>(200, 'GET', `/api/v1/events/${id}`)
    expect(evento).toMatchObject({ detalhes: { placa: 'ABC****' }, crop_url: null })
  })

  it('counts for a key by its scope', async () => {
    const client = async (escopo: string) => {
      const fields = { nome: `Chave ${escopo}`, escopo, empresa_id: own.empresaId }
      const { chave } = await own.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', fields)
      return clientOf(app.url, chave)
    }
    expect(await statusOf(await client('leitura'), `/crops/${id}`)).toBe(403)
    expect(await statusOf(await client('escrita'), `/crops/${id}`)).toBe(200)
  })

  it('changes nothing for the vigilantes of another Empresa', async () => {
    const below = await app.account('Filial', own.admin)
    const login = { username: 'ana', senha: SENHA, papel: 'vigilante', empresa_id: below.empresaId }
    await own.admin.expect(201, 'POST', '/api/v1/usuarios', login)
    expect(await statusOf(await app.signIn('ana'), '/passagens')).toBe(200)
  })

  it('sends them push messages without a picture', async () => {
    const service = await startPushService()
    const { chave_publica } = await vigilante.expect<{ chave_publica: string }>(200, 'GET', '/api/v1/push')
    const pushed = async (by: Client) => {
      const browser = newPushBrowser(service)
      await by.expect(201, 'POST', '/api/v1/me/inscricoes', browser.subscription({}))
      await backstage.verdict((await pass()).evento, 'confirmado')
      // A message to the browser before may still be under way.
      const push = await waitFor('the message', () => service.received.find(({ path }) => path === browser.path))
      await backstage.db.deleteFrom('inscricoes_push').execute()
      return browser.read(push, chave_publica)
    }
    expect(await pushed(own.admin)).toMatchObject({
      imagem: expect.any(String),
      corpo: expect.stringContaining(`ABC1D23, ${LISTED.dono}`),
    })
    const masked = await pushed(vigilante)
    expect(masked).toMatchObject({ imagem: null, corpo: expect.stringContaining('ABC****') })
    expectHidden(masked.corpo)
    await service.close()
  })

  it('shows plates again at the next request after the change', async () => {
    await hide(false)
    expect(await statusOf(vigilante, '/passagens')).toBe(200)
  })
})

describe('a vigilante with a list', () => {
  const other = fixture(() => app.account('Outra'))
  const central = fixture(async () => {
    const body = { username: 'central', senha: SENHA, papel: 'vigilante', empresa_id: other.empresaId }
    const alcance = [own.empresaId, other.empresaId]
    await app.operator.expect(201, 'POST', '/api/v1/usuarios', { ...body, alcance })
    return app.signIn('central')
  })
  beforeAll(async () => {
    await other.admin.expect(201, 'POST', '/api/v1/placas', { placa: 'XYZ9K88', lista: 'permitida' })
    await hide(true)
  })

  it('sees plates in each Empresa as its own vigilantes do', async () => {
    expect((await central.expect<Me>(200, 'GET', '/api/v1/me')).ve_placas).toBe(true)
    for (const path of ['/placas', '/passagens', '/passagens/presentes'])
      expectHidden(JSON.stringify(await central.expect(200, 'GET', `/api/v1${path}`)))
    expect(JSON.stringify(await central.expect(200, 'GET', '/api/v1/placas'))).toContain('XYZ9K88')
    const percurso = await central.expect(200, 'GET', '/api/v1/passagens/percurso?placa=ABC1D23')
    expect(percurso).toMatchObject({ passagens: [], estadias: [] })
    const refused = [
      `/passagens/${passagem}`,
      `/crops/${id}`,
      `/events/${id}/clip`,
      `/placas?empresa_id=${own.empresaId}`,
    ]
    for (const path of [...refused, '/busca/eventos?texto=ABC1D23', `/placas/exportar?empresa_id=${own.empresaId}`])
      expect([path, await statusOf(central, path)]).toEqual([path, 403])
    const evento = await central.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)
    expectHidden(JSON.stringify(evento))
    expect(await statusOf(central, `/busca/eventos?texto=ABC1D23&empresa_id=${other.empresaId}`)).toBe(200)
    await hide(false)
    expect(await statusOf(central, `/passagens/${passagem}`)).toBe(200)
    expect(await statusOf(central, '/busca/eventos?texto=ABC1D23')).toBe(200)
  })
})
