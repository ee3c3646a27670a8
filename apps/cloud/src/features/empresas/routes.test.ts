import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

interface Empresa {
  id: number
  empresa_pai_id: number | null
}
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

it('creates an Empresa with its defaults; a root when the operator does', async () => {
  const empresa = await app.operator.expect<Empresa>(201, 'POST', '/api/v1/empresas', { nome: ' Mercado ' })
  expect(empresa).toEqual({
    id: expect.any(Number),
    nome: 'Mercado',
    empresa_pai_id: null,
    fuso_horario: 'America/Sao_Paulo',
    limite_cameras: 64,
    criada_em: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
})

it('shows each login its part of the tree', async () => {
  const integrator = await app.account('Integradora')
  const client = await app.account('Cliente', integrator.admin)
  const site = await app.account('Filial', client.admin)
  const sibling = await app.account('Concorrente')

  const seen = async (of: typeof client.admin) => ids(await of.expect<Empresa[]>(200, 'GET', '/api/v1/empresas'))
  const [i, c, s] = [integrator.empresaId, client.empresaId, site.empresaId]
  expect(await seen(integrator.admin)).toEqual([i, c, s])
  expect(await seen(integrator.usuario)).toEqual([i])
  expect(await seen(client.admin)).toEqual([c, s])
  expect(await seen(sibling.admin)).toEqual([sibling.empresaId])
  expect(await seen(app.operator)).toEqual(expect.arrayContaining([i, c, s, sibling.empresaId]))

  const [, child] = await integrator.admin.expect<Empresa[]>(200, 'GET', '/api/v1/empresas')
  expect(child?.empresa_pai_id).toBe(i)
})

it('does not take a parent from the body', async () => {
  const a = await app.account('A')
  const b = await app.account('B')
  const made = await a.admin.expect<Empresa>(201, 'POST', '/api/v1/empresas', {
    nome: 'X',
    empresa_pai_id: b.empresaId,
  })
  expect(made.empresa_pai_id).toBe(a.empresaId)
})
