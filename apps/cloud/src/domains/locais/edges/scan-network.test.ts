import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Edge } from '@vigia/contracts/edges'
import type { Equipamento } from '@vigia/contracts/varredura'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, expect, it } from 'vitest'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'
import { beginScan } from './store.ts'

const app = fixture(() => startAppWithBroker({ VIGIA_EDGE_LOCAL: '1' }))
const own = fixture(() => app.account('Própria'))
const other = fixture(() => app.account('Outra'))
const edge = fixture(() => startStandInEdge(own.admin, app.url))

beforeAll(async () => {
  await waitFor('the edge to be online', async () => {
    const { status } = await own.admin.expect<Edge>(200, 'GET', `/api/v1/edges/${edge.id}`)
    if (status !== 'online') await edge.report([])
    return status === 'online'
  })
})

const equipamento: Equipamento = {
  host: '192.168.0.20',
  portas: [80, 554],
  fabricante: 'intelbras',
  modelo: 'MHDX 1108',
  onvif: 80,
}
const path = (id = edge.id) => `/api/v1/edges/${id}/varredura`
const scan = (by = own.admin, id = edge.id) => by.send('POST', path(id))
const refused = ({ status, body }: { status: number; body: unknown }) => [status, body]
const scans = () => own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=varrer')
/** Makes the last scan older than a minute. */
const aMinuteLater = async () => {
  const { db, close } = await openBackstage(app)
  await db
    .updateTable('edges')
    .set((eb) => ({ varrido_em: eb('varrido_em', '-', 61_000) }))
    .where('id', '=', edge.id)
    .execute()
  await close()
}

it('shows the networks without a scan', async () => {
  const alcance = { redes: [{ rede: '192.168.0.0/24', enderecos: 253 }], portas: [554, 80] }
  edge.answer = async () => ({ ok: true, resultado: alcance })
  expect(refused(await own.admin.send('GET', path()))).toEqual([200, alcance])
  expect(edge.commands).toEqual([{ acao: 'listar_redes' }])
  expect(await scans()).toEqual([])
})

it('scans once a minute, on record', async () => {
  edge.answer = async () => ({ ok: true, resultado: { equipamentos: [equipamento] } })
  expect(refused(await scan())).toEqual([200, [equipamento]])
  expect(await scans()).toMatchObject([
    { objeto: 'edge', objeto_id: edge.id, username: `administrador-${own.empresaId}` },
  ])
  const second = await scan()
  expect(refused(second)).toEqual([429, { detail: expect.stringContaining('menos de um minuto') }])
  expect(second.headers.get('retry-after')).toBe('60')
  expect(await scans()).toHaveLength(1)

  await aMinuteLater()
  const both = await Promise.all([scan(), scan()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 429])
  expect(edge.commands.filter(({ acao }) => acao === 'varrer_rede')).toHaveLength(2)
})

it('counts the minute of one edge over all processes, whatever the clock did', async () => {
  const { db, close } = await openBackstage(app)
  const { id } = edge
  await db.updateTable('edges').set({ varrido_em: null }).where('id', '=', id).execute()
  expect(await beginScan(db, id, 100_000, 60_000)).toBe(true)
  expect(await beginScan(db, id, 159_999, 60_000)).toBe(false)
  expect(await beginScan(db, id, 160_000, 60_000)).toBe(true)
  expect(await beginScan(db, id, 90_000, 60_000)).toBe(true)
  await db.updateTable('edges').set({ varrido_em: null }).where('id', '=', id).execute()
  await close()
})

it('requires an administrator with that edge in scope; the local edge, the operator', async () => {
  const before = edge.commands.length
  for (const method of ['GET', 'POST'] as const) {
    expect((await own.usuario.send(method, path())).status).toBe(403)
    const missing = refused(await other.admin.send(method, path(999_999)))
    expect(missing[0]).toBe(404)
    expect(refused(await other.admin.send(method, path()))).toEqual(missing)
    const all = await app.operator.expect<Edge[]>(200, 'GET', '/api/v1/edges')
    const local = all.find(({ empresa_id }) => empresa_id === null)?.id ?? 0
    expect((await own.admin.send(method, path(local))).status).toBe(404)
    expect((await app.operator.send(method, path(local))).status).toBe(503)
  }
  expect(edge.commands).toHaveLength(before)
})

it('explains the failure of an edge that does not know the command, or has scans turned off', async () => {
  edge.answer = async () => ({ ok: false, falha: 'comando_desconhecido' })
  expect(refused(await scan())).toEqual([503, { detail: expect.stringContaining('Atualize') }])
  await aMinuteLater()
  edge.answer = async () => ({ ok: false, falha: 'varredura_desligada' })
  expect(refused(await scan())).toEqual([503, { detail: expect.stringContaining('VIGIA_VARREDURA') }])
  await aMinuteLater()
  // A host outside the schema: the answer of a manipulated edge reaches no page.
  edge.answer = async () => ({ ok: true, resultado: { equipamentos: [{ ...equipamento, host: 'javascript:x' }] } })
  expect(refused(await scan())).toEqual([503, { detail: expect.stringContaining('Atualize') }])
})
