import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { budgets } from '../adapters/rate-limits/budgets.ts'
import { createCounter } from '../adapters/rate-limits/counter.ts'
import { openCounterStore } from '../adapters/rate-limits/open-store.ts'
import { loadConfig } from '../config.ts'
import { connectAgent } from '../test/clients/agent-client.ts'
import type { Client } from '../test/clients/client.ts'
import { startAppWithBroker } from '../test/clouds/app-with-broker.ts'
import { startStandInEdge } from '../test/stand-ins/stand-in-edge.ts'

const CAMERA = { nome: 'Doca', rtsp_url: 'rtsp://10.1.2.3/1' }
// The counters are those of the store, as for another replica.
const app = fixture(startAppWithBroker)
const root = fixture(() => app.account('Raiz'))
const below = fixture(() => app.account('Filial', root.admin))
const neighbour = fixture(() => app.account('Vizinha'))
const agent = fixture(() => connectAgent(app, `administrador-${root.empresaId}`))

/** Uses all records of a root Empresa, from another process. */
async function exhaust(empresaId: number): Promise<void> {
  const store = openCounterStore(loadConfig({ VIGIA_DATA_DIR: app.dataDir, ...app.banco }))
  const counter = createCounter({ name: 'mudanca', budget: budgets.mudanca, store, report: () => {} })
  await counter.exhaust(`raiz:${empresaId}`)
  await store.close()
}
const create = (by: Client, empresaId: number) =>
  by.send<{ detail: string }>('POST', '/api/v1/cameras', { ...CAMERA, empresa_id: empresaId })
const rows = async (by: Client, path: string) => (await by.expect<unknown[]>(200, 'GET', `/api/v1/${path}`)).length

describe('changes', () => {
  it('above the records of their root are refused with 429, and change nothing', async () => {
    const made = await create(root.admin, root.empresaId)
    expect(made.status).toBe(201)
    await exhaust(root.empresaId)
    const counted = async () => [await rows(root.admin, 'cameras'), await rows(root.admin, 'auditoria?limit=200')]
    const before = await counted()
    for (const account of [root, below]) {
      const refused = await create(account.admin, account.empresaId)
      expect([refused.status, refused.body]).toEqual([429, { detail: budgets.mudanca.detalhe }])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const asked = await agent.call('criar_camera', CAMERA)
    expect([asked.recusado, asked.texto]).toEqual([true, expect.stringContaining(budgets.mudanca.detalhe)])
    expect(await counted()).toEqual(before)
  })

  it('that a box would carry out are refused before it is asked', async () => {
    const own = await app.account('Condomínio')
    const edge = await startStandInEdge(own.admin, app.url)
    const camera = { ...CAMERA, nome: 'Doca', empresa_id: own.empresaId, edge_id: edge.id }
    const { id } = await app.operator.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', camera)
    const restart = (by: Client) => by.send<{ detail: string }>('POST', `/api/v1/cameras/${id}/reiniciar`)
    expect((await restart(app.operator)).status).toBe(204)
    expect(edge.commands).toHaveLength(1)
    await exhaust(own.empresaId)
    expect((await restart(own.admin)).body).toEqual({ detail: budgets.mudanca.detalhe })
    expect(edge.commands).toHaveLength(1)
    await edge.stop()
  })

  it('of a neighbour and of the operator go on', async () => {
    await exhaust(root.empresaId)
    expect((await create(neighbour.admin, neighbour.empresaId)).status).toBe(201)
    expect((await create(app.operator, root.empresaId)).status).toBe(201)
  })
})
