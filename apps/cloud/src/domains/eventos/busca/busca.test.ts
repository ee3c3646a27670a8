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
