import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Camera } from '@vigia/contracts/cameras'
import type { Desejado } from '@vigia/contracts/edge-state'
import type { Mascaras } from '@vigia/contracts/mascaras'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'

const app = fixture(startAppWithBroker)
const own = fixture(() => app.account('Própria'))

const A = [0.1, 0.1, 0.5, 0.1, 0.5, 0.5]
let streams = 0
/** A camera of a picture of its own. */
const create = () => {
  streams += 1
  const rtsp_url = `rtsp://127.0.0.9/p${streams}`
  return own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', { nome: 'Portão', rtsp_url })
}
const at = (id: number) => `/api/v1/cameras/${id}/mascaras`

it('stores the masks of a camera, records the change, and accepts only administrators', async () => {
  const { id } = await create()
  expect(await own.usuario.expect(200, 'GET', at(id))).toEqual({
    mascaras: [],
    situacao: 'sem_mascara',
    detalhe: null,
  })
  const saved = await own.admin.expect<Mascaras>(200, 'PUT', at(id), { mascaras: [A] })
  expect(saved).toMatchObject({ mascaras: [A], situacao: 'aguardando', detalhe: expect.stringContaining('confira') })
  expect(await own.usuario.expect<Camera>(200, 'GET', `/api/v1/cameras/${id}`)).toMatchObject({ mascaras: [A] })
  const query = `/api/v1/auditoria?objeto=camera&objeto_id=${id}`
  const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', query)
  expect(record).toMatchObject({ acao: 'alterar', antes: { mascaras: [] }, depois: { mascaras: [A] } })
  expect((await own.usuario.send('PUT', at(id), { mascaras: [] })).status).toBe(403)
  const other = await app.account('Alheia')
  expect((await other.admin.send('PUT', at(id), { mascaras: [] })).status).toBe(404)
})

it('refuses flat polygons, missing masks, and a change of an older version', async () => {
  const camera = await create()
  for (const body of [{ mascaras: [[0, 0, 1, 1]] }, { mascaras: [[0, 0, 0.5, 0.5, 1, 1]] }, {}, { mascaras: null }])
    expect((await own.admin.send('PUT', at(camera.id), body)).status).toBe(422)
  const put = async (mascaras: readonly (readonly number[])[]) => {
    const headers = { authorization: `Bearer ${own.admin.token}`, 'content-type': 'application/json' }
    const response = await fetch(`${app.url}${at(camera.id)}`, {
      method: 'PUT',
      headers: { ...headers, 'if-match': `"${camera.atualizada_em}"` },
      body: JSON.stringify({ mascaras }),
    })
    return response.status
  }
  expect(await put([A])).toBe(200)
  expect(await put([])).toBe(409)
  expect(await own.admin.expect(200, 'GET', at(camera.id))).toMatchObject({ mascaras: [A] })
})

it('shows what the edge makes of the masks', async () => {
  const edge = await startStandInEdge(own.admin, app.url)
  const { id } = await own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', {
    nome: 'Doca',
    rtsp_url: 'rtsp://127.0.0.9/2',
    edge_id: edge.id,
  })
  const situation = async () => (await own.admin.expect<Mascaras>(200, 'GET', at(id))).situacao
  let newest: Desejado | undefined
  edge.link.onDesired((desejado) => {
    newest = desejado
  })
  try {
    await edge.report([id])
    await own.admin.expect(200, 'PUT', at(id), { mascaras: [A] })
    await waitFor('the masks at the edge', () => newest?.cameras.some(({ mascaras }) => mascaras?.length === 1))
    expect(await situation()).toBe('caixa_antiga')
    const sentence = async () =>
      (await own.usuario.send<{ detail: string }>('GET', `/api/v1/cameras/${id}/snapshot`)).body.detail
    expect(await sentence()).toContain('máscaras')
    const camera = await own.admin.expect<Camera>(200, 'GET', `/api/v1/cameras/${id}`)
    expect(camera.status_detalhe).toContain('não conhece máscaras')
    await edge.report([id], { mascarada: true }, 1)
    await waitFor('the report of an older configuration', async () => (await situation()) === 'aguardando')
    // An edge reports every few seconds, because a report is lost when its connection breaks.
    const applied = async () => {
      await edge.report([id], { mascarada: true }, newest?.versao)
      return (await situation()) === 'aplicada'
    }
    await waitFor('the masks in use', applied, { everyMs: 500 })
    expect(await sentence()).not.toContain('máscaras')
    await own.admin.expect(200, 'PUT', at(id), { mascaras: [A, [0.6, 0.6, 0.9, 0.6, 0.9, 0.9]] })
    expect(await situation()).toBe('aguardando')
  } finally {
    await edge.stop()
  }
})
