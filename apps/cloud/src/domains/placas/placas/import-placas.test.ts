import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { MAX_PLACAS, type PlacaListada, type PlacasImportadas } from '@vigia/contracts/placas'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = freshFixture(() => app.account('Própria'))

const PATH = '/api/v1/placas'
const add = (placa: string, fields: object = {}) =>
  own.admin.expect<PlacaListada>(201, 'POST', PATH, { placa, lista: 'permitida', ...fields })
const listed = () => own.admin.expect<PlacaListada[]>(200, 'GET', PATH)
const send = (csv: string, fields: object = {}, by: Client = own.admin) =>
  by.send(`POST`, `${PATH}/importar`, { csv, ...fields })
const imported = (csv: string) => own.admin.expect<PlacasImportadas>(200, 'POST', `${PATH}/importar`, { csv })
async function exported(query = '', by: Client = own.admin): Promise<string> {
  const headers = { authorization: `Bearer ${by.token}` }
  const response = await fetch(`${app.url}${PATH}/exportar${query}`, { headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(response.headers.get('content-disposition')).toContain('placas.csv')
  // `text()` removes the byte order mark.
  return Buffer.from(await response.arrayBuffer()).toString()
}
const audited = () => own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=placa')

it('exports the lists, without formulas, and imports the file unchanged', async () => {
  await add('ABC1D23', { nota: 'a "b"; c', dono: '=HYPERLINK("x")' })
  await add('ABC1D24', { lista: 'bloqueada', validade: '2030-01-01T00:00:00-03:00', nota: "'=1" })
  await backstage.db.updateTable('placas').set({ validade: 1_000 }).where('placa', '=', 'ABC1D23').execute()
  const csv = await exported()
  expect(csv).toBe(
    '\uFEFFplaca;lista;nota;dono;validade\r\n' +
      "ABC1D24;bloqueada;''=1;;2030-01-01T03:00:00.000Z\r\n" +
      'ABC1D23;permitida;"a ""b""; c";"\'=HYPERLINK(""x"")";1970-01-01T00:00:01.000Z\r\n',
  )
  expect(await exported('?lista=bloqueada')).not.toContain('ABC1D23')
  const before = await listed()
  expect(await imported(csv)).toEqual({ criadas: 0, alteradas: 0, iguais: 2 })
  expect(await listed()).toEqual(before)
})

it('adds new plates and changes listed ones, with one audit record and no plate in the log', async () => {
  const first = await add('QQQ1D23', { nota: 'fica', dono: 'Ana' })
  const before = (await audited()).length
  const counts = await imported('lista,placa,dono\nbloqueada,qqq-1d23,\npermitida,QQQ1D24,Rui\n')
  expect(counts).toEqual({ criadas: 1, alteradas: 1, iguais: 0 })
  const [added, changed] = await listed()
  expect(added).toMatchObject({ placa: 'QQQ1D24', lista: 'permitida', dono: 'Rui', nota: null })
  expect(changed).toMatchObject({ id: first.id, lista: 'bloqueada', dono: null, nota: 'fica' })
  expect(changed?.criada_em).toBe(first.criada_em)
  await send('placa;lista\nQQQ1D24;outra')
  await exported()
  const records = await audited()
  expect(records.slice(0, -before).map(({ acao, depois }) => [acao, depois])).toEqual([
    ['exportar', { lista: null, exportadas: 2 }],
    ['criar', { criadas: 1, alteradas: 1 }],
  ])
  expect(app.logText()).not.toContain('QQQ1D2')
})

it('imports more plates than one statement takes', async () => {
  const lines = Array.from({ length: 1_201 }, (_, at) => `ABC${1_000 + at};permitida`)
  const csv = ['placa;lista', ...lines].join('\r\n')
  expect(await imported(csv)).toEqual({ criadas: 1_201, alteradas: 0, iguais: 0 })
  expect(await imported(csv)).toEqual({ criadas: 0, alteradas: 0, iguais: 1_201 })
  expect((await exported()).split('\r\n')).toHaveLength(1_203)
})

it('changes nothing when one line is wrong, or the lists become too long', async () => {
  await add('ABC1D23')
  const before = await listed()
  const records = (await audited()).length
  const refused = await send('placa;lista\nABC1D23;bloqueada\nABC1D24;permitida\nA;permitida\n')
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('Linha 4: placa: ')])
  const lines = Array.from({ length: MAX_PLACAS }, (_, at) => `${10_000 + at};permitida`)
  const many = await send(['placa;lista', ...lines].join('\n'))
  expect([many.status, JSON.stringify(many.body)]).toEqual([409, expect.stringContaining('cheias')])
  for (const body of [{}, { csv: '' }, { csv: 'x'.repeat(4 * 1024 * 1024 + 1) }, { csv: 'placa', lista: 'x' }])
    expect((await own.admin.send('POST', `${PATH}/importar`, body)).status).toBe(422)
  expect((await app.operator.send('GET', `${PATH}/exportar`)).status).toBe(422)
  expect((await own.admin.send('GET', `${PATH}/exportar?lista=outra`)).status).toBe(422)
  expect(await listed()).toEqual(before)
  expect(await audited()).toHaveLength(records)
})

it('is closed to a usuario, and to other Empresas', async () => {
  const foreign = await app.account('Alheia')
  await add('ABC1D23')
  const csv = 'placa;lista\nABC1D23;bloqueada\n'
  expect((await send(csv, {}, own.usuario)).status).toBe(403)
  expect((await own.usuario.send('GET', `${PATH}/exportar`)).status).toBe(403)
  expect((await send(csv, { empresa_id: own.empresaId }, foreign.admin)).status).toBe(404)
  expect((await foreign.admin.send('GET', `${PATH}/exportar?empresa_id=${own.empresaId}`)).status).toBe(404)
  expect(await exported('', foreign.admin)).not.toContain('ABC1D23')
  expect((await send(csv, {}, foreign.admin)).status).toBe(200)
  expect((await listed()).map(({ lista }) => lista)).toEqual(['permitida'])
})
