import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AgentClient, connectAgent } from '../../../../test/clients/agent-client.ts'
import { openBackstage } from '../../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED } from '../../../../test/records/own-records.ts'
import { makeRecords } from '../../../../test/walks/tool-examples.ts'
import { tools } from './catalogue.ts'

let agent: AgentClient
const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const parent = await app.account('Rede')
  for (const account of [parent, await app.account('Filial', parent.admin)]) {
    const { camera: camera_id, edge: edge_id } = await makeRecords(backstage, account)
    const [at, nome, motivo] = [app.clock.now(), 'Portão', 'sem_resposta'] as const
    const { db } = backstage
    const queda = { empresa_id: account.empresaId, edge_id, camera_id, nome, inicio: at, fim: null, motivo }
    await db.insertInto('quedas').values(queda).execute()
    const span = { de_seq: 5, ate_seq: 6, ocorrido_de: null, ocorrido_ate: null }
    const lacuna = { uuid: null, edge_id, camera_id, ...span, motivo: 'cota_de_disco', registrada_em: at } as const
    await db.insertInto('lacunas').values(lacuna).execute()
    await backstage.stopped(account.empresaId)
    for (let i = 0; i < 5; i += 1)
      await account.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera_id}`, { nome: `Portão ${i}` })
  }
  agent = await connectAgent(app, `administrador-${parent.empresaId}`)
})
afterAll(async () => {
  await agent?.close()
})

// The search has no total: its pages are tested with its routes.
const lists = tools
  .filter(({ entrada, saida }) => 'cursor' in entrada.shape && 'total' in saida.shape)
  .map(({ nome }) => nome)

it('covers both kinds of lists: paged here, and paged by their route', () => {
  expect(lists).toEqual(expect.arrayContaining(['listar_gravadores', 'listar_lacunas', 'consultar_auditoria']))
})

it.each(lists)('the pages of %s have the requested length and together form the list', async (nome) => {
  const page = async (entrada: object) => {
    const { total, proximo, aviso: _, ...rest } = await agent.expect(nome, entrada)
    return { itens: Object.values(rest)[0] as unknown[], total, proximo: proximo as string | null }
  }
  const whole = await page({ limite: 200 })
  expect([whole.total, whole.proximo]).toEqual([whole.itens.length, null])
  expect(whole.itens.length).toBeGreaterThan(1)
  const one: unknown[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { itens, total, proximo }: Awaited<ReturnType<typeof page>> = await page({
      limite: 1,
      ...(cursor && { cursor }),
    })
    expect([itens.length, total]).toEqual([1, whole.total])
    one.push(...itens)
    cursor = proximo
  }
  expect(one).toEqual(whole.itens)
})

it('uses shorter pages for audit records, which are long', async () => {
  const { registros, total, proximo } = await agent.expect<{ registros: object[]; total: number; proximo: string }>(
    'consultar_auditoria',
  )
  expect(total).toBeGreaterThan(20)
  expect([registros.length, proximo]).toEqual([20, expect.any(String)])
})
