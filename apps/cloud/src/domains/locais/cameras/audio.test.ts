import type { AudioCamera } from '@vigia/contracts/audio'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Camera } from '@vigia/contracts/cameras'
import type { Desejado } from '@vigia/contracts/edge-state'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'

const app = fixture(startAppWithBroker)
const own = fixture(() => app.account('Própria'))

const MASK = { mascaras: [[0.1, 0.1, 0.5, 0.1, 0.5, 0.5]] }
let streams = 0
/** A camera of a picture of its own: the masks of one concern its picture. */
const create = (more: object) => {
  streams += 1
  const camera = { nome: 'Portão', rtsp_url: `rtsp://127.0.0.9/p${streams}`, ...more }
  return own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', camera)
}
const at = (id: number, what = 'audio') => `/api/v1/cameras/${id}/${what}`
const on = { ligado: true }
const off = { ligado: false, situacao: 'desligado', detalhe: null }

it('is off by default, accepts only administrators, and refuses a camera with masks', async () => {
  const { id, audio } = await create({})
  expect(audio).toBe(false)
  expect(await own.usuario.expect(200, 'GET', at(id))).toEqual(off)
  expect((await own.usuario.send('PUT', at(id), on)).status).toBe(403)
  expect((await own.admin.send('PUT', at(id), {})).status).toBe(422)
  const other = await app.account('Alheia')
  expect((await other.admin.send('PUT', at(id), on)).status).toBe(404)
  await own.admin.expect(200, 'PUT', at(id, 'mascaras'), MASK)
  expect((await own.admin.expect<{ detail: string }>(409, 'PUT', at(id), on)).detail).toContain('máscara')
  expect(await own.admin.expect(200, 'GET', at(id))).toEqual(off)
})

it('sends the switch to the edge, records who used it, and shows what the edge makes of it', async () => {
  const edge = await startStandInEdge(own.admin, app.url)
  let newest: Desejado | undefined
  edge.link.onDesired((desejado) => {
    newest = desejado
  })
  const ordered = (id: number) => newest?.cameras.find((camera) => camera.id === id)?.audio
  try {
    const { id } = await create({ edge_id: edge.id })
    const view = () => own.usuario.expect<AudioCamera>(200, 'GET', at(id))
    await edge.report([id])
    expect((await own.admin.expect<{ detail: string }>(409, 'PUT', at(id), on)).detail).toContain('antigo')
    await edge.report([id], { audio: 'desligado' })
    await waitFor('the newer edge', async () => (await own.admin.send('PUT', at(id), on)).status === 200)
    expect(await view()).toMatchObject({ ligado: true, situacao: 'aguardando' })
    await waitFor('the order', () => ordered(id) === true)
    const query = `/api/v1/auditoria?objeto=camera&objeto_id=${id}`
    const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', query)
    expect(record).toMatchObject({ antes: { audio: false }, depois: { audio: true } })
    await edge.report([id], { audio: 'enviando' }, newest?.versao)
    await waitFor('the audio', async () => (await view()).situacao === 'enviando')
    expect((await view()).detalhe).toBeNull()
    await edge.report([id], { audio: 'formato' }, newest?.versao)
    await waitFor('the reason', async () => (await view()).detalhe?.includes('G.711') === true)
    await own.admin.expect(200, 'PUT', at(id, 'mascaras'), MASK)
    expect(await view()).toMatchObject({ ligado: true, situacao: 'mascara' })
    await waitFor('the order without audio', () => newest?.cameras[0]?.mascaras && ordered(id) === undefined)
    await own.admin.expect(200, 'PUT', at(id, 'mascaras'), { mascaras: [] })
    await waitFor('the order', () => ordered(id) === true)
    expect(await own.admin.expect(200, 'PUT', at(id), { ligado: false })).toEqual(off)
    await waitFor('the end', () => ordered(id) === undefined)
  } finally {
    await edge.stop()
  }
})
