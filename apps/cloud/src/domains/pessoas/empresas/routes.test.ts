import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { EMPRESAS_POR_ARVORE } from './create-empresa.ts'

const app = fixture(startTestApp)

interface Empresa {
  id: number
  empresa_pai_id: number | null
}
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

it('creates an Empresa with defaults; the operator creates a root', async () => {
  const empresa = await app.operator.expect<Empresa>(201, 'POST', '/api/v1/empresas', { nome: ' Mercado ' })
  expect(empresa).toEqual({
    id: expect.any(Number),
    nome: 'Mercado',
    empresa_pai_id: null,
    fuso_horario: 'America/Sao_Paulo',
    limite_cameras: 64,
    limite_gravadores: 1000,
    limite_edges: 1000,
    redes_permitidas: [],
    limite_usuarios: 1000,
    limite_canais: 1000,
    limite_bytes: null,
    limite_agentes: 1000,
    limite_chaves: 1000,
    exigir_segundo_fator: null,
    esconder_placas_vigilante: false,
    usa_edge_local: true,
    criada_em: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
})

it('returns to each login its part of the tree', async () => {
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

it('ignores a parent in the body', async () => {
  const a = await app.account('A')
  const b = await app.account('B')
  await a.admin.expect(422, 'POST', '/api/v1/empresas', { nome: 'X', empresa_pai_id: b.empresaId })
  const made = await a.admin.expect<Empresa>(201, 'POST', '/api/v1/empresas', { nome: 'X' })
  expect(made.empresa_pai_id).toBe(a.empresaId)
})

it('bounds the number of Empresas in one tree', async () => {
  const integrator = await app.account('Integradora com muitas')
  const client = await app.account('Cliente', integrator.admin)
  const backstage = await openBackstage(app)
  const many = { empresa_pai_id: client.empresaId, fuso_horario: 'America/Sao_Paulo', limite_cameras: 1, criada_em: 1 }
  const rows = Array.from({ length: EMPRESAS_POR_ARVORE - 3 }, (_, i) => ({ ...many, nome: `E${i}` }))
  for (let i = 0; i < rows.length; i += 1000)
    await backstage.db
      .insertInto('empresas')
      .values(rows.slice(i, i + 1000))
      .execute()
  await backstage.close()

  await client.admin.expect(201, 'POST', '/api/v1/empresas', { nome: 'A última' })
  for (const { admin } of [client, integrator])
    expect(await admin.send('POST', '/api/v1/empresas', { nome: 'Demais' })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('10000') },
    })
  // The operator still gets answers from every list.
  for (const list of ['empresas', 'usuarios', 'cameras', 'gravadores', 'events', 'metrics', 'notificacoes', 'edges'])
    await integrator.admin.expect(200, 'GET', `/api/v1/${list}`)
  await app.operator.expect(201, 'POST', '/api/v1/empresas', { nome: 'De outra árvore' })
})
