import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Camera } from '@vigia/contracts/cameras'
import type { Desejado } from '@vigia/contracts/edge-state'
import type { TransporteCamera } from '@vigia/contracts/transporte'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'

const app = fixture(startAppWithBroker)
const own = fixture(() => app.account('Própria'))

const at = (id: number) => `/api/v1/cameras/${id}/transporte`
const create = (more: object = {}) =>
  own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.9/1', ...more })

it('is automatic by default, and only a write login of the Empresa changes it', async () => {
  const { id, transporte } = await create()
  expect(transporte).toBe('automatico')
  const unknown = { transporte: 'automatico', leitura: null, perdas: null, detalhe: null }
  expect(await own.usuario.expect(200, 'GET', at(id))).toEqual(unknown)
  expect((await own.usuario.send('PUT', at(id), { transporte: 'udp' })).status).toBe(403)
  expect((await own.admin.send('PUT', at(id), { transporte: 'multicast' })).status).toBe(422)
  const other = await app.account('Alheia')
  expect((await other.admin.send('PUT', at(id), { transporte: 'udp' })).status).toBe(404)
  expect(await own.admin.expect(200, 'GET', at(id))).toEqual(unknown)
})

it('goes to the edge, stands in the audit log, and shows how the edge reads the camera', async () => {
  const edge = await startStandInEdge(own.admin, app.url)
  let newest: Desejado | undefined
  edge.link.onDesired((desejado) => {
    newest = desejado
  })
  const ordered = (id: number) => newest?.cameras.find((camera) => camera.id === id)?.transporte
  try {
    const { id } = await create({ edge_id: edge.id })
    const view = () => own.usuario.expect<TransporteCamera>(200, 'GET', at(id))
    const set = await own.admin.expect<TransporteCamera>(200, 'PUT', at(id), { transporte: 'udp' })
    expect(set).toMatchObject({ transporte: 'udp', leitura: null, detalhe: expect.stringContaining('atualize') })
    await waitFor('the order', () => ordered(id) === 'udp')
    const query = `/api/v1/auditoria?objeto=camera&objeto_id=${id}`
    const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', query)
    expect(record).toMatchObject({ antes: { transporte: 'automatico' }, depois: { transporte: 'udp' } })
    const perdas = { perdidos: 3, esperados: 600, jitter_ms: 2.5 }
    await edge.report([id], { leitura: 'udp', perdas }, newest?.versao)
    await waitFor('UDP', async () => (await view()).leitura === 'udp')
    expect((await view()).perdas).toEqual(perdas)
    expect((await view()).detalhe).toContain('UDP')
    await edge.report([id], { leitura: 'ffmpeg' }, newest?.versao)
    await waitFor('the second reader', async () => (await view()).detalhe?.includes('segundo leitor') === true)
    await own.admin.expect(200, 'PUT', at(id), { transporte: 'automatico' })
    await waitFor('the automatic choice', () => newest?.cameras[0] !== undefined && ordered(id) === undefined)
    await edge.report([id], { leitura: 'tcp' }, newest?.versao)
    await waitFor('TCP', async () => (await view()).leitura === 'tcp')
    expect((await view()).perdas).toBeNull()
    expect((await view()).detalhe).toBeNull()
  } finally {
    await edge.stop()
  }
})
