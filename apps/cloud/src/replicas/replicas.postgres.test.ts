import type { Edge } from '@vigia/contracts/edges'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSse } from '../test/clients/sse.ts'
import { type Backstage, openBackstage } from '../test/clouds/backstage.ts'
import { type Cluster, startCluster } from '../test/clouds/cluster.ts'
import { type Account, SENHA, type TestApp } from '../test/clouds/test-app.ts'
import { batch, candidate } from '../test/records/records.ts'
import { type StandInEdge, startStandInEdge } from '../test/stand-ins/stand-in-edge.ts'
import { winner } from './edge-division.ts'

let cluster: Cluster
let one: TestApp
let two: TestApp
let own: Account
let backstage: Backstage
const edges: StandInEdge[] = []

beforeAll(async () => {
  cluster = await startCluster(2)
  ;[one, two] = cluster.replicas as [TestApp, TestApp]
  own = await one.account('Loja')
  backstage = await openBackstage(one)
  for (let n = 0; n < 4; n += 1) edges.push(await startStandInEdge(own.admin, n % 2 === 0 ? one.url : two.url))
})
afterAll(async () => {
  await Promise.all(edges.map((edge) => edge.stop()))
  await backstage?.close()
  await cluster?.stop()
})

const owners = () => backstage.db.selectFrom('edges').select(['id', 'dono', 'dono_epoca']).orderBy('id').execute()
const settled = (count: number) =>
  waitFor(`each edge to have its owner among ${count}`, async () => {
    const live = (await backstage.db.selectFrom('replicas').select('id').execute()).map(({ id }) => id)
    const rows = await owners()
    return live.length === count && rows.every(({ id, dono }) => dono === winner(id, live)) && rows
  })

describe('two replicas', () => {
  it('start with an empty data folder and share one CA', async () => {
    const rows = await backstage.db.selectFrom('segredos_instalacao').select('cifrado').execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.cifrado).not.toContain('PRIVATE')
    expect(edges.every((edge) => edge.link.connected)).toBe(true)
  })

  it('divide the edges, and each shows all of them', async () => {
    await settled(2)
    for (const { url } of [one, two]) {
      const { token } = own.admin
      const answer = await fetch(`${url}/api/v1/edges`, { headers: { authorization: `Bearer ${token}` } })
      const list = (await answer.json()) as Edge[]
      expect(list.map(({ status }) => status)).toEqual(['online', 'online', 'online', 'online'])
    }
  })

  it('store each event once and show it on the streams of both', async () => {
    await settled(2)
    const [edge] = edges as [StandInEdge]
    const { id: cameraId } = await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', {
      nome: 'Portão',
      rtsp_url: 'rtsp://127.0.0.9/1',
      edge_id: edge.id,
    })
    const streams = await Promise.all(
      [one, two].map(({ url }) => openSse(`${url}/api/v1/sse/alertas?todos=true&token=${own.admin.token}`)),
    )
    const answer = await edge.deliver(batch([candidate(cameraId, 1, { crop: null })]))
    expect(answer).toMatchObject({ itens: [{ resultado: 'gravado' }] })
    for (const stream of streams) {
      await stream.until('evento', 1)
      stream.close()
    }
    expect(await backstage.db.selectFrom('eventos').select('id').execute()).toHaveLength(1)
  })

  it('let a new reach hold on the open streams of both', async () => {
    const other = await one.account('Outra')
    const [ours, theirs] = [await backstage.camera(own.empresaId), await backstage.camera(other.empresaId)]
    const body = { username: 'central', senha: SENHA, papel: 'vigilante', empresa_id: own.empresaId }
    const login = { ...body, alcance: [own.empresaId] }
    const { id } = await one.operator.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', login)
    const { token } = await one.signIn('central')
    const streams = await Promise.all([one, two].map(({ url }) => openSse(`${url}/api/v1/sse/alertas?token=${token}`)))
    await one.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { alcance: [other.empresaId] })
    await backstage.verdict(await backstage.event(ours), 'confirmado')
    const seen = await backstage.event(theirs)
    await backstage.verdict(seen, 'confirmado')
    for (const stream of streams) {
      const [frame] = await stream.until('alerta', 1)
      expect(frame?.id).toBe(String(seen))
      stream.close()
    }
  })

  it('write nothing for an edge that another one has taken, until they own it again', async () => {
    await settled(2)
    const [, edge] = edges as [StandInEdge, StandInEdge]
    const { id: cameraId } = await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', {
      nome: 'Pátio',
      rtsp_url: 'rtsp://127.0.0.9/2',
      edge_id: edge.id,
    })
    const taken = backstage.db
      .updateTable('edges')
      .set((eb) => ({ dono: 'outra', dono_epoca: eb('dono_epoca', '+', 1) }))
    await taken.where('id', '=', edge.id).execute()
    const answers: unknown[] = []
    edge.link.onConfirmations((answer) => void answers.push(answer))
    const payload = batch([candidate(cameraId, 1, { crop: null })])
    const stored = () => backstage.db.selectFrom('eventos').select('id').where('camera_id', '=', cameraId).execute()
    await edge.link.publishBatch(payload)
    await waitFor('the refusal', () => [one, two].some((each) => each.logText().includes('belongs to another replica')))
    expect([answers, await stored()]).toEqual([[], []])
    // No replica of that name runs, so that an owner takes the edge again.
    await settled(2)
    // The row names the owner before that process serves the edge, so that the first repetition may have no answer.
    expect(await edge.deliver(payload)).toMatchObject({ itens: [{ resultado: 'gravado' }] })
    expect(await stored()).toHaveLength(1)
  })

  it('enforce a revoked certificate from any replica', async () => {
    const [, , , edge] = edges as [StandInEdge, StandInEdge, StandInEdge, StandInEdge]
    await own.admin.expect(204, 'DELETE', `/api/v1/edges/${edge.id}`)
    await waitFor('the edge to be cut off', () => !edge.link.connected)
    const { pedida, feita } = await backstage.db.selectFrom('publicacoes').selectAll().executeTakeFirstOrThrow()
    expect(feita).toBe(pedida)
  })

  it('are ready until they stop, and then end streams with a hint to connect again', async () => {
    const third = await cluster.join()
    expect((await fetch(`${third.url}/readyz`)).status).toBe(200)
    const stream = await openSse(`${third.url}/api/v1/sse/alertas?todos=true&token=${own.admin.token}`)
    const text: string[] = []
    void stream.ended.then(() => text.push('ended'))
    await third.stop()
    await stream.ended
    expect(text).toEqual(['ended'])
  })

  it('hand over every edge at a planned stop, without the wait for a lease', async () => {
    await cluster.join()
    await settled(3)
    const before = await owners()
    const third = cluster.replicas.at(-1) as TestApp
    await third.stop()
    // Its lease does not have to run out first.
    expect(await backstage.db.selectFrom('replicas').select('id').execute()).toHaveLength(2)
    const after = await settled(2)
    for (const [at, { dono, dono_epoca }] of after.entries())
      if (dono !== before[at]?.dono) expect(dono_epoca).toBeGreaterThan(before[at]?.dono_epoca ?? 0)
  })
})
