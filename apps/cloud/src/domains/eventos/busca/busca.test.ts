import type { BuscaEventos, BuscaIncidentes } from '@vigia/contracts/busca'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { type Account, startTestApp } from '../../../test/clouds/test-app.ts'
import { createIndexFill } from './fill-index.ts'

const MINUTE = 60_000
/** Event ids by name. */
const ids: Record<string, number> = {}

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
const outra = fixture(() => app.account('Farmácia'))
const vigilante = fixture(() => app.vigilante(conta))

beforeAll(async () => {
  const store = async (name: string, account: Account, minutes: number, change: object) => {
    const camera = await backstage.camera(account.empresaId)
    const at = { ocorrido_em: app.clock.now() + minutes * MINUTE }
    ids[name] = await backstage.event(camera, { ...at, ...change })
  }
  await store('portao', conta, -300, { camera_nome: 'Portão Sul' })
  await store('doca', conta, -200, { camera_nome: 'Doca Sul', tipo: 'veiculo', rotulos_json: '["truck"]' })
  await store('placa', conta, -100, { camera_nome: 'Doca', detalhes_json: '{"placa":"ABC1D23"}', gravidade: 'media' })
  await store('alheio', outra, -50, { camera_nome: 'Portão Sul' })
})

const query = (values: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]))
const eventos = (by: Client, values: Record<string, string | number>) =>
  by.expect<BuscaEventos>(200, 'GET', `/api/v1/busca/eventos?${query(values)}`)
const incidentes = (by: Client, values: Record<string, string | number>) =>
  by.expect<BuscaIncidentes>(200, 'GET', `/api/v1/busca/incidentes?${query(values)}`)
/** Names of the events of a page of either search. */
const names = ({ itens }: { readonly itens: readonly { readonly id: number }[] }) =>
  itens.map(({ id }) => Object.entries(ids).find(([, own]) => own === id)?.[0] ?? id)
const covers = ({ itens }: BuscaIncidentes) =>
  names({ itens: itens.map(({ capa_evento_id }) => ({ id: capa_evento_id })) })

describe('the search', () => {
  it.each([
    ['sul', ['doca', 'portao']],
    ['PORTAO', ['portao']],
    ['sul doca', ['doca']],
    ['caminhao', ['doca']],
    ['truck', ['doca']],
    ['veic', ['doca']],
    ['abc-1d23', ['placa']],
    ['abc', ['placa']],
    ['sul caminhao portao', []],
    ['nada', []],
  ])('finds %j in events and incidentes of the own Empresas only', async (texto, expected) => {
    expect(names(await eventos(conta.admin, { texto }))).toEqual(expected)
    expect(covers(await incidentes(vigilante, { texto }))).toEqual(expected)
  })
  it('reaches every Empresa of the operator, and one of them by filter', async () => {
    expect(names(await eventos(app.operator, { texto: 'portao' }))).toEqual(['alheio', 'portao'])
    const own = { texto: 'portao', empresa_id: conta.empresaId }
    expect(names(await eventos(app.operator, own))).toEqual(['portao'])
    expect(covers(await incidentes(app.operator, own))).toEqual(['portao'])
  })
  it('combines words with every filter', async () => {
    const [first] = (await eventos(conta.admin, { texto: 'doca', gravidade: 'media' })).itens
    expect(first?.id).toBe(ids.placa)
    expect(names(await eventos(conta.admin, { texto: 'doca', certeza: 'baixa' }))).toEqual([])
    const since = new Date(app.clock.now() - 150 * MINUTE).toISOString()
    for (const [filter, expected] of [
      [{ tipo: 'veiculo' }, ['doca']],
      [{ camera_id: first?.camera_id ?? 0 }, ['placa']],
      [{ veredito: 'refutado' }, []],
      [{ veredito: 'pendente', desde: since }, ['placa']],
      [{ ate: since }, ['doca']],
    ] as [Record<string, string | number>, string[]][]) {
      expect([filter, names(await eventos(conta.admin, { texto: 'doca', ...filter }))]).toEqual([filter, expected])
      expect([filter, covers(await incidentes(conta.admin, { texto: 'doca', ...filter }))]).toEqual([filter, expected])
    }
  })
  it('without words has the records of the lists', async () => {
    expect(names(await eventos(conta.admin, { limit: 2 }))).toEqual(['placa', 'doca'])
    expect(covers(await incidentes(conta.admin, { gravidade: 'media' }))).toEqual(['placa'])
  })
  it('finds answers and reviews by their person and note', async () => {
    const incidente = await backstage.incidenteOf(ids.portao ?? 0)
    const answer = { resposta: 'falso', nota: 'Era o gato do vizinho' }
    await vigilante.expect(200, 'POST', `/api/v1/incidentes/${incidente}/atendimento`, answer)
    const review = { rotulo_humano: 'confirmado', revisor: 'Ana Souza' }
    await conta.admin.expect(200, 'POST', `/api/v1/events/${ids.doca}/revisao`, review)
    expect(covers(await incidentes(conta.admin, { texto: 'gato viz' }))).toEqual(['portao'])
    expect(covers(await incidentes(conta.admin, { atendido_por: 'Rui' }))).toEqual(['portao'])
    expect(covers(await incidentes(conta.admin, { texto: 'portao rui', atendido: 'true' }))).toEqual(['portao'])
    expect(covers(await incidentes(conta.admin, { atendido_por: 'ru' }))).toEqual([])
    expect(names(await eventos(conta.admin, { atendido_por: 'rui' }))).toEqual(['portao'])
    expect(names(await eventos(conta.admin, { texto: 'souza' }))).toEqual(['doca'])
    expect(names(await eventos(outra.admin, { texto: 'gato' }))).toEqual([])
  })
  it('pages by cursor', async () => {
    const first = await eventos(conta.admin, { texto: 'sul', limit: 1 })
    expect(names(first)).toEqual(['doca'])
    const second = await eventos(conta.admin, { texto: 'sul', limit: 1, cursor: first.proximo ?? '' })
    expect(names(second)).toEqual(['portao'])
    expect(second.proximo).toBeNull()
  })
  it.each([
    [{ texto: '—' }, 'Escreva pelo menos uma letra ou um número.'],
    [{ texto: 'a b c d e f g h i' }, 'Use no máximo 8 palavras.'],
    [{ texto: 'a', cursor: 'abc' }, 'Cursor desconhecido. Use o que veio na página anterior.'],
  ])('refuses %j with a sentence', async (values, msg) => {
    const { status, body } = await conta.admin.send('GET', `/api/v1/busca/eventos?${query(values)}`)
    expect({ status, body }).toMatchObject({ status: 422, body: { detail: [{ msg }] } })
  })
  it('refuses another Empresa', async () => {
    const path = `/api/v1/busca/incidentes?texto=sul&empresa_id=${outra.empresaId}`
    expect((await conta.admin.send('GET', path)).status).toBe(404)
  })
})

describe('a sentence', () => {
  // The clock of the app stands at its start; the events were 5, 3.3 and 1.7 hours before.
  const local = (minutes: number) =>
    new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone: 'America/Sao_Paulo' }).format(
      app.clock.now() + minutes * MINUTE,
    )
  it('becomes filters and words, and says so', async () => {
    const page = await eventos(conta.admin, { frase: 'caminhões na doca' })
    expect(names(page)).toEqual(['doca'])
    expect(page.entendido).toEqual({
      partes: [{ campo: 'coisa', valor: 'truck', ate: null, inicio: 0, fim: 9 }],
      texto: 'doca caminhão',
    })
    expect((await eventos(conta.admin, { texto: 'doca' })).entendido).toBeNull()
  })
  it('names a camera of the scope only', async () => {
    const named = async (empresaId: number, nome: string) => {
      const { cameraId: id } = await backstage.camera(empresaId)
      await backstage.db.updateTable('cameras').set({ nome }).where('id', '=', id).execute()
      return id
    }
    const patio = await named(conta.empresaId, 'Pátio dos Fundos')
    await named(outra.empresaId, 'Estoque Geral')
    const parts = async (frase: string) => (await eventos(conta.admin, { frase })).entendido?.partes
    expect(await parts('patio dos fundos')).toMatchObject([{ campo: 'camera', valor: String(patio) }])
    expect(await parts('estoque geral')).toEqual([])
  })
  it('gives way to a filter of its own, and keeps the others', async () => {
    expect(names(await eventos(conta.admin, { frase: 'doca veículo' }))).toEqual(['doca'])
    expect(names(await eventos(conta.admin, { frase: 'doca veículo', tipo: 'invasao' }))).toEqual(['placa'])
    expect(covers(await incidentes(conta.admin, { frase: 'gravidade média' }))).toEqual(['placa'])
  })
  it('has the days and hours of the Empresa', async () => {
    const hours = (from: number, to: number) => `entre ${local(from)} e ${local(to)}`
    expect(names(await eventos(conta.admin, { frase: hours(-310, -290) }))).toEqual(['portao'])
    expect(covers(await incidentes(conta.admin, { frase: `sul ${hours(-310, -150)}` }))).toEqual(['doca', 'portao'])
    expect(names(await eventos(conta.admin, { frase: 'anteontem' }))).toEqual([])
    const night = await eventos(conta.admin, { frase: 'ontem à noite' })
    expect(night.entendido?.partes.map(({ campo }) => campo)).toEqual(['periodo', 'hora'])
  })
  it('finds a whole plate, and nothing for its end, which only passages know', async () => {
    expect(names(await eventos(conta.admin, { frase: 'ABC-1D23' }))).toEqual(['placa'])
    expect(names(await eventos(conta.admin, { frase: 'placa começando com ABC' }))).toEqual(['placa'])
    const end = await eventos(conta.admin, { frase: 'placa terminando em d23' })
    expect(names(end)).toEqual([])
    expect(end.entendido?.partes).toMatchObject([{ campo: 'placa', valor: '*D23' }])
  })
  it('names no plate for a login that sees none', async () => {
    const hide = (esconder_placas_vigilante: boolean) =>
      conta.admin.expect(200, 'PATCH', `/api/v1/empresas/${conta.empresaId}`, { esconder_placas_vigilante })
    const end = { frase: 'placa terminando em d23' }
    expect((await eventos(vigilante, end)).entendido?.partes).toHaveLength(1)
    await hide(true)
    const hidden = await eventos(vigilante, end)
    expect({ names: names(hidden), entendido: hidden.entendido }).toEqual({
      names: [],
      entendido: { partes: [], texto: end.frase },
    })
    expect((await vigilante.send('GET', '/api/v1/busca/eventos?frase=abc1d23')).status).toBe(403)
    expect((await eventos(conta.admin, end)).entendido?.partes).toHaveLength(1)
    await hide(false)
  })
})

describe('the filters of the search', () => {
  it('have hours that pass midnight, and refuse half of them', async () => {
    const all = { hora_de: '00:01', hora_ate: '00:00' }
    expect(names(await eventos(conta.admin, all))).toEqual(['placa', 'doca', 'portao'])
    expect(covers(await incidentes(conta.admin, { ...all, limit: 1 }))).toEqual(['placa'])
    expect(names(await eventos(outra.admin, all))).toEqual(['alheio'])
    const { status } = await conta.admin.send('GET', '/api/v1/busca/eventos?hora_de=08:00')
    expect(status).toBe(422)
  })
  it('have certainty and note', async () => {
    expect(covers(await incidentes(conta.admin, { nota: 'true' }))).toEqual(['portao'])
    expect(covers(await incidentes(conta.admin, { nota: 'false' }))).toEqual(['placa', 'doca'])
    expect(names(await eventos(conta.admin, { nota: 'true' }))).toEqual(['portao'])
    expect(names(await eventos(conta.admin, { nota: 'false', texto: 'doca' }))).toEqual(['placa', 'doca'])
    const { db } = backstage
    await db
      .updateTable('incidentes')
      .set({ certeza: 'alta' })
      .where('capa_evento_id', '=', ids.doca ?? 0)
      .execute()
    expect(covers(await incidentes(conta.admin, { certeza: 'alta' }))).toEqual(['doca'])
    expect(covers(await incidentes(conta.admin, { certeza: 'baixa', texto: 'sul' }))).toEqual([])
  })
})

it('indexes the records of earlier releases after the start', async () => {
  const { db } = backstage
  const before = await db.selectFrom('busca_eventos').selectAll().execute()
  const grouped = await db.selectFrom('busca_incidentes').selectAll().execute()
  await db.deleteFrom('busca_termos').execute()
  expect(await db.selectFrom('busca_eventos').selectAll().execute()).toEqual([])
  await db
    .insertInto('busca_preenchimento')
    .values([
      { alvo: 'eventos', ate_id: 1_000_000 },
      { alvo: 'atendimentos', ate_id: 1_000_000 },
    ])
    .execute()
  expect((await eventos(conta.admin, { texto: 'sul' })).indexado_desde).not.toBeNull()
  const fill = createIndexFill({
    db,
    log: { ...console, error: (detail: unknown) => expect(detail).toBeNull() } as never,
  })
  fill.start()
  await waitFor('a filled index', async () => {
    const left = await db.selectFrom('busca_preenchimento').selectAll().execute()
    return left.length === 0
  })
  await fill.stop()
  expect(await db.selectFrom('busca_eventos').selectAll().execute()).toHaveLength(before.length)
  expect(await db.selectFrom('busca_incidentes').selectAll().execute()).toHaveLength(grouped.length)
  expect(names(await eventos(conta.admin, { texto: 'gato' }))).toEqual(['portao'])
  expect((await eventos(conta.admin, { texto: 'sul' })).indexado_desde).toBeNull()
})
