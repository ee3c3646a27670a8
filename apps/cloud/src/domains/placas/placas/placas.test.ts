import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { PlacaListada } from '@vigia/contracts/placas'
import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const own = fixture(() => app.account('Própria'))
const foreign = fixture(() => app.account('Alheia'))

const PATH = '/api/v1/placas'
let count = 1_000
const add = (fields: object = {}, by: Client = own.admin) =>
  by.expect<PlacaListada>(201, 'POST', PATH, { placa: `ABC${++count}`, lista: 'permitida', ...fields })
const listed = (query = '', by: Client = own.admin) => by.expect<PlacaListada[]>(200, 'GET', `${PATH}${query}`)
const detail = async (by: Client, method: string, path: string, body?: object) => {
  const { status, body: answer } = await by.send(method, path, body)
  return [status, JSON.stringify(answer)] as const
}

it('adds, changes and removes a plate, each with an audit record', async () => {
  const created = await add({ placa: 'bra-2e19', dono: 'Apartamento 42' })
  expect(created).toMatchObject({ placa: 'BRA2E19', lista: 'permitida', dono: 'Apartamento 42', vencida: false })
  const changed = await own.admin.expect<PlacaListada>(200, 'PATCH', `${PATH}/${created.id}`, { lista: 'bloqueada' })
  expect(changed).toMatchObject({ ...created, lista: 'bloqueada', atualizada_em: expect.any(String) })
  expect(await own.admin.expect(200, 'GET', `${PATH}/${created.id}`)).toEqual(changed)
  await own.admin.expect(204, 'DELETE', `${PATH}/${created.id}`)
  expect((await own.admin.send('GET', `${PATH}/${created.id}`)).status).toBe(404)
  const records = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=placa')
  expect(records.map(({ acao, objeto_nome }) => [acao, objeto_nome])).toEqual(
    ['remover', 'alterar', 'criar'].map((acao) => [acao, 'BRA2E19']),
  )
})

it('lists the plates in scope, filtered by list and pattern', async () => {
  const { id } = await add({ placa: 'XYZ9A88', lista: 'bloqueada' })
  await add({ placa: 'XYZ1234' }, foreign.admin)
  expect((await listed('?placa=XYZ*')).map((one) => one.id)).toEqual([id])
  expect((await listed('?placa=*9A*&lista=bloqueada')).map((one) => one.id)).toEqual([id])
  expect(await listed('?placa=XYZ*&lista=permitida')).toEqual([])
})

it('finds a plate by a part of it, of its owner or of its note', async () => {
  const { id } = await add({ placa: 'QRS7T41', dono: 'Márcia 100%_ok', nota: 'Entrega da LOJA' })
  await add({ placa: 'QRS7T42', dono: 'Outra' })
  const found = async (busca: string) => (await listed(`?busca=${encodeURIComponent(busca)}`)).map((one) => one.id)
  for (const busca of ['s7t41', 'QRS-7T41', 'rcia 100%_', 'da loja']) expect(await found(busca), busca).toEqual([id])
  for (const busca of ['100_%', 'Cliente', '*']) expect(await found(busca), busca).toEqual([])
  expect(await found('QRS7')).toHaveLength(2)
})

it('refuses bad input with a sentence, and changes nothing', async () => {
  await add({ placa: 'DUP1A11' })
  const before = await listed()
  const refused: [object, number, RegExp][] = [
    [{ placa: 'DUP1A11', lista: 'bloqueada' }, 409, /já está em uma lista/],
    [{ placa: 'A', lista: 'permitida' }, 422, /5 a 8 letras/],
    [{ placa: 'ABC1D24', lista: 'outra' }, 422, /lista/],
    [{ placa: 'ABC1D24', lista: 'permitida', validade: '2020-01-01T00:00:00Z' }, 422, /já passou/],
  ]
  for (const [body, status, sentence] of refused) {
    const [got, text] = await detail(own.admin, 'POST', PATH, body)
    expect([got, text]).toEqual([status, expect.stringMatching(sentence)])
  }
  const [status, text] = await detail(app.operator, 'POST', PATH, { placa: 'ABC1D24', lista: 'permitida' })
  expect([status, text]).toEqual([422, expect.stringMatching(/qual Empresa/)])
  expect(await listed()).toEqual(before)
})

it('is closed to a usuario, and to other Empresas', async () => {
  const { id } = await add()
  for (const [method, path] of [
    ['GET', PATH],
    ['GET', `${PATH}/${id}`],
    ['DELETE', `${PATH}/${id}`],
  ] as const) {
    expect((await own.usuario.send(method, path)).status).toBe(403)
    if (path !== PATH) expect((await foreign.admin.send(method, path)).status).toBe(404)
  }
  const body = { placa: 'ABC1D25', lista: 'permitida', empresa_id: own.empresaId }
  expect((await foreign.admin.send('POST', PATH, body)).status).toBe(404)
  expect((await own.usuario.send('POST', PATH, body)).status).toBe(403)
})
