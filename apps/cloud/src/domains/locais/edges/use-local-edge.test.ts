import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { type Account, startTestApp } from '../../../test/clouds/test-app.ts'

let local: number
/** Created by the operator. */
/** Created by the administrador of the Empresa above. */

const app = fixture(() => startTestApp({ VIGIA_EDGE_LOCAL: '1', VIGIA_MQTT_URL: 'mqtts://127.0.0.1:9' }))

beforeAll(async () => {
  const edges = await app.operator.expect<{ id: number; nome: string }[]>(200, 'GET', '/api/v1/edges')
  local = edges.find(({ nome }) => nome === 'Caixa local')?.id ?? 0
})

const parent = fixture(() => app.account('Integradora'))
const child = fixture(() => app.account('Loja', parent.admin))

interface Placed {
  readonly id: number
  readonly edge_id: number | null
}
const addCamera = (account: Account, change: object = {}) =>
  account.admin.send<Placed>('POST', '/api/v1/cameras', { nome: 'Doca', rtsp_url: 'rtsp://10.0.0.9/1', ...change })
const allow = (account: Account, usa_edge_local: boolean) =>
  app.operator.expect(200, 'PATCH', `/api/v1/empresas/${account.empresaId}`, { usa_edge_local })
const probes = (account: Account, change: object = {}) => [
  ['/api/v1/cameras/testar-conexao', { host: '10.0.0.9', portas: [554], ...change }],
  [
    '/api/v1/gravadores/descobrir',
    {
      fabricante: 'intelbras',
      host: '10.0.0.9',
      porta: 554,
      usuario: 'a',
      senha: 'b',
      num_canais: 1,
      empresa_id: account.empresaId,
      ...change,
    },
  ],
]
const refusals = async (account: Account, change: object = {}) => {
  const answers: [string, number][] = []
  for (const [path, body] of probes(account, change))
    answers.push([String(path), (await account.admin.send('POST', String(path), body)).status])
  return answers
}
const all = (status: number) => probes(parent).map(([path]) => [path, status])

it('an Empresa of the operator uses the local edge, one that others create does not', async () => {
  const usage = async (account: Account) =>
    (await account.admin.expect<{ usa_edge_local: boolean }>(200, 'GET', `/api/v1/empresas/${account.empresaId}`))
      .usa_edge_local
  expect([await usage(parent), await usage(child)]).toEqual([true, false])
  expect((await addCamera(parent)).body.edge_id).toBe(local)
  expect((await addCamera(child)).body.edge_id).toBe(null)
})

it('probes through the local edge are 409 for an Empresa that does not use it', async () => {
  // The local edge of this installation is not connected.
  expect(await refusals(parent)).toEqual(all(503))
  expect(await refusals(child)).toEqual(all(409))
  expect(await refusals(child, { edge_id: local })).toEqual(all(409))
  expect((await addCamera(child, { edge_id: local })).status).toBe(409)
  const own = await child.admin.send<{ detail: string }>('POST', '/api/v1/cameras/testar-conexao', {
    host: '10.0.0.9',
    portas: [554],
  })
  expect(own.body.detail).toContain('peça ao operador')
})

it('only the operator changes the use, and the cameras follow at once', async () => {
  const path = `/api/v1/empresas/${child.empresaId}`
  expect((await child.admin.send('PATCH', path, { usa_edge_local: true })).status).toBe(403)
  expect((await parent.admin.send('PATCH', path, { usa_edge_local: true })).status).toBe(403)

  const camera = (await addCamera(child)).body.id
  const edgeOf = async () => (await child.admin.expect<Placed>(200, 'GET', `/api/v1/cameras/${camera}`)).edge_id
  await allow(child, true)
  expect(await edgeOf()).toBe(local)
  await allow(child, false)
  expect(await edgeOf()).toBe(null)
  const record = await child.admin.expect<{ recurso: string; depois: { edge_id?: number | null } | null }[]>(
    200,
    'GET',
    '/api/v1/auditoria?limit=1',
  )
  expect(record[0]).toMatchObject({ depois: { edge_id: null } })
})
