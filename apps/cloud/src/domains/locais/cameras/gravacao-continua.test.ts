import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Camera } from '@vigia/contracts/cameras'
import type { Desejado } from '@vigia/contracts/edge-state'
import type { Edge } from '@vigia/contracts/edges'
import type { GravacaoContinua } from '@vigia/contracts/gravacao-continua'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'

const app = fixture(startAppWithBroker)
const own = fixture(() => app.account('Própria'))

const A = [0.1, 0.1, 0.5, 0.1, 0.5, 0.5]
let hosts = 0
/** A camera of a device of its own: masks concern the picture, also of another camera. */
const create = (more: object = {}) => {
  hosts += 1
  const urls = { rtsp_url: `rtsp://127.0.9.${hosts}/1`, sub_rtsp_url: `rtsp://127.0.9.${hosts}/2` }
  return own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', { nome: 'Portão', ...urls, ...more })
}
const at = (id: number) => `/api/v1/cameras/${id}/gravacao-continua`
const on = { ligada: true }

it('is off by default, accepts only administrators, and refuses a camera that must not be recorded', async () => {
  const { id } = await create()
  const off = { ligada: false, situacao: 'desligada', detalhe: null, de: null, ate: null, mb: null }
  expect(await own.usuario.expect(200, 'GET', at(id))).toEqual(off)
  expect((await own.usuario.send('PUT', at(id), on)).status).toBe(403)
  expect((await own.admin.send('PUT', at(id), {})).status).toBe(422)
  const other = await app.account('Alheia')
  expect((await other.admin.send('PUT', at(id), on)).status).toBe(404)
  await own.admin.expect(200, 'PUT', `/api/v1/cameras/${id}/mascaras`, { mascaras: [A] })
  const refused = async (camera: number) =>
    (await own.admin.expect<{ detail: string }>(409, 'PUT', at(camera), on)).detail
  expect(await refused(id)).toContain('máscara')
  expect(await own.admin.expect(200, 'GET', at(id))).toEqual(off)
})

it('sends the switch and the budget to the edge, and shows what the edge makes of them', async () => {
  const edge = await startStandInEdge(own.admin, app.url)
  let newest: Desejado | undefined
  edge.link.onDesired((desejado) => {
    newest = desejado
  })
  try {
    const { id } = await create({ edge_id: edge.id })
    await edge.report([id])
    const box = async () => await own.admin.expect<Edge>(200, 'GET', `/api/v1/edges/${edge.id}`)
    await waitFor('the report', async () => (await box()).status === 'online')
    const refusal = await own.admin.expect<{ detail: string }>(409, 'PUT', at(id), on)
    expect(refusal.detail).toContain('antigo')
    const disk = { tipo: 'ssd', mb: 70, orcamento_mb: 5_000 } as const
    await edge.report([id], {}, 1, { gravacao_continua: { ...disk, tipo: 'cartao' } })
    await waitFor('the disk', async () => (await box()).gravacao_continua?.tipo === 'cartao')
    expect((await own.admin.expect<{ detail: string }>(409, 'PUT', at(id), on)).detail).toContain('SSD')
    await edge.report([id], {}, 1, { gravacao_continua: disk })
    await waitFor('the disk', async () => (await box()).gravacao_continua?.tipo === 'ssd')
    expect(await own.admin.expect(200, 'PUT', at(id), on)).toMatchObject({ ligada: true, situacao: 'aguardando' })
    await own.admin.expect(200, 'PATCH', `/api/v1/edges/${edge.id}`, { gravacao_continua_mb: 5_000 })
    expect((await own.admin.send('PATCH', `/api/v1/edges/${edge.id}`, { gravacao_continua_mb: 10 })).status).toBe(422)
    await waitFor('the order', () => newest?.gravacao_continua_mb === 5_000)
    const ordered = () => newest?.cameras.find((camera) => camera.id === id)?.gravacao_continua
    expect(ordered()).toBe(true)
    const query = `/api/v1/auditoria?objeto=camera&objeto_id=${id}`
    const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', query)
    expect(record).toMatchObject({ antes: { gravacao_continua: false }, depois: { gravacao_continua: true } })
    const held = { de: Date.UTC(2026, 0, 1), ate: Date.UTC(2026, 0, 2), mb: 70 }
    const view = () => own.usuario.expect<GravacaoContinua>(200, 'GET', at(id))
    await edge.report([id], { gravacao: { motivo: null, ...held } }, newest?.versao, { gravacao_continua: disk })
    await waitFor('the recording', async () => (await view()).situacao === 'gravando')
    expect(await view()).toMatchObject({ de: '2026-01-01T00:00:00.000Z', ate: '2026-01-02T00:00:00.000Z', mb: 70 })
    await edge.report([id], { gravacao: { motivo: 'disco_cheio', ...held } }, newest?.versao, {
      gravacao_continua: disk,
    })
    await waitFor('the full disk', async () => (await view()).detalhe?.includes('cheio') === true)
    expect(await own.admin.expect(200, 'PUT', at(id), { ligada: false })).toMatchObject({
      situacao: 'desligada',
      de: null,
    })
    await waitFor('the end', () => ordered() === undefined)
  } finally {
    await edge.stop()
  }
})
