import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Passagem } from '@vigia/contracts/passagens'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Própria'))
const foreign = fixture(() => app.account('Alheia'))
const camera = fixture(() => backstage.camera(own.empresaId))

beforeAll(async () => {
  await pass({ placa: readingOf('ABC1D23'), cor: 'azul' })
  await pass({ placa: null, cor: 'preto', fim: 1_790_000_009_000 })
})

const PATH = '/api/v1/passagens/exportar'
const readingOf = (placa: string): NonNullable<RegistroPassagem['placa']> => ({
  placa,
  pais: 'BR',
  forma: 'mercosul',
  confianca: 0.9,
})
const pass = (change: Partial<RegistroPassagem>) => backstage.passagem(camera, change)
async function exported(query = '', by: Client = own.admin) {
  const response = await fetch(`${app.url}${PATH}${query}`, { headers: { authorization: `Bearer ${by.token}` } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const text = Buffer.from(await response.arrayBuffer()).toString()
  const [header, ...lines] = text.split('\r\n').slice(0, -1)
  return { header, lines, total: response.headers.get('x-total-count') }
}
const searches = () => own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=passagem')

it('gives the passages as CSV, newest first, without formulas', async () => {
  await backstage.db.updateTable('passagens').set({ local: '=1+1' }).where('cor', '=', 'azul').execute()
  const [newest, oldest] = await own.admin.expect<Passagem[]>(200, 'GET', '/api/v1/passagens')
  const { header, lines, total } = await exported()
  expect(header).toBe(
    '\uFEFFid;ocorrido_em;camera;local;placa;situacao;sentido;veiculo;cor;confianca;fim;hora_incerta_de;hora_incerta_ate',
  )
  expect(total).toBe('2')
  expect(lines[0]).toMatch(
    new RegExp(`^${newest?.id};${newest?.ocorrido_em};Portão;.*;;;.*;car;preto;;${newest?.fim};;$`),
  )
  expect(lines[1]).toMatch(
    new RegExp(`^${oldest?.id};${oldest?.ocorrido_em};Portão;'=1\\+1;ABC1D23;desconhecida;.*;car;azul;0.9;;;$`),
  )
})

it('takes the filters of the list', async () => {
  for (const [query, count] of [
    ['?placa=ABC*', 1],
    ['?cor=azul', 1],
    ['?sem_placa=true', 1],
    ['?situacao=bloqueada', 0],
    [`?camera_id=${camera.cameraId}&veiculo=car`, 2],
    ['?ate=2020-01-01T00:00:00Z', 0],
  ] as const) {
    const { lines, total } = await exported(query)
    expect([query, lines.length, total]).toEqual([query, count, String(count)])
    expect((await own.admin.send<unknown[]>('GET', `/api/v1/passagens${query}`)).body).toHaveLength(count)
  }
})

it('reads more passages than one query gives', async () => {
  const other = await app.account('Movimentada')
  const { id: source } = await backstage.db.selectFrom('passagens').select('id').executeTakeFirstOrThrow()
  const row = await backstage.db.selectFrom('passagens').selectAll().where('id', '=', source).executeTakeFirstOrThrow()
  const { id: _, ...copy } = { ...row, empresa_id: other.empresaId }
  const copies = Array.from({ length: 1_001 }, () => ({ ...copy, uuid: crypto.randomUUID() }))
  for (let at = 0; at < copies.length; at += 500)
    await backstage.db
      .insertInto('passagens')
      .values(copies.slice(at, at + 500))
      .execute()
  const { lines, total } = await exported('', other.admin)
  const ids = lines.map((line) => Number(line.split(';')[0]))
  expect([new Set(ids).size, total]).toEqual([1_001, '1001'])
  expect(ids).toEqual([...ids].sort((a, b) => b - a))
})

it('records each export in the audit log, and no plate in the log of requests', async () => {
  await exported()
  await exported('?placa=QQQ7777')
  expect((await searches()).slice(0, 2).map(({ acao, objeto_nome }) => [acao, objeto_nome])).toEqual([
    ['buscar', 'QQQ7777'],
    ['buscar', '*'],
  ])
  expect(app.logText()).not.toMatch(/QQQ7777|ABC1D23/)
})

it('refuses bad input, a usuario and other Empresas, without an audit record', async () => {
  const before = await searches()
  for (const query of [
    '?placa=%27',
    '?cor=roxo',
    '?desde=ontem',
    '?desde=2026-01-02T00:00:00Z&ate=2026-01-01T00:00:00Z',
  ])
    expect((await own.admin.send('GET', `${PATH}${query}`)).status).toBe(422)
  expect((await own.usuario.send('GET', PATH)).status).toBe(403)
  expect((await foreign.admin.send('GET', `${PATH}?empresa_id=${own.empresaId}`)).status).toBe(404)
  expect(await searches()).toEqual(before)
  expect(await exported('', foreign.admin)).toMatchObject({ lines: [], total: '0' })
})
