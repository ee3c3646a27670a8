import type { Camera } from '@vigia/contracts/cameras'
import type { Diagnostico } from '@vigia/contracts/pedidos'
import { jpegSize } from '@vigia/link/jpeg-size'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MjpegReader, openMjpeg } from '../../../test/clients/mjpeg.ts'
import { type AppWithEdge, startAppWithEdge } from '../../../test/clouds/app-with-edge.ts'

/** Commands to an edge and its cameras, up to a recorder; cloud, broker and edge are real programs. */
let whole: AppWithEdge
let gravador: RecorderProcess
let cameras: number[]
const open: MjpegReader[] = []

const path = (id: number, rest = '') => `/api/v1/cameras/${id}${rest}`
const online = (id: number) =>
  waitFor(`camera ${id}`, async () => (await whole.own.admin.expect<Camera>(200, 'GET', path(id))).status === 'online')

beforeAll(async () => {
  ;[whole, gravador] = await Promise.all([startAppWithEdge(), startRecorder()])
  cameras = []
  for (const canal of [1, 2]) {
    const made = { nome: `Canal ${canal}`, rtsp_url: gravador.url(canal), edge_id: whole.edgeId }
    cameras.push((await whole.own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', made)).id)
  }
  for (const id of cameras) await online(id)
})
afterAll(async () => {
  for (const reader of open) reader.close()
  await whole?.stop()
  await gravador?.close()
})

const watch = async (id: number, query: string) => {
  const headers = { authorization: `Bearer ${whole.own.usuario.token}` }
  const reader = await openMjpeg(`${whole.app.url}${path(id, `/aovivo${query}`)}`, headers)
  open.push(reader)
  return reader
}

it('shows two cameras without further connections to the recorder', async () => {
  const [first = 0, second = 0] = cameras
  const views = await Promise.all([watch(first, '?lado=320&fps=5'), watch(second, '?lado=320&fps=5')])
  for (const { response } of views) expect(response.status).toBe(200)
  for (const view of views) {
    const pictures = await view.until(6)
    expect(pictures.map(jpegSize)).toEqual(pictures.map(() => ({ width: 320, height: 240 })))
    expect(new Set(pictures.map((picture) => picture.toString('base64'))).size).toBeGreaterThan(3)
  }
  expect((await gravador.counts()).conexoes_max).toBe(2)
  // The footage shows people, and a new camera runs `invasao`.
  const people = () => views.every(({ boxes }) => boxes.some((one) => one?.startsWith('[["person",0.')))
  await waitFor('boxes of people', people)
})

it('restarts one camera during a live view', async () => {
  const [first = 0] = cameras
  const view = await watch(first, '?fps=5')
  await view.until(2)
  const { describes } = await gravador.counts()
  await whole.own.admin.expect(204, 'POST', path(first, '/reiniciar'))
  await waitFor('the recorder to be asked again', async () => (await gravador.counts()).describes === describes + 1)
  const seen = view.pictures.length
  await view.until(seen + 3)
})

it('returns the diagnostics of the edge without secrets', async () => {
  const answer = await whole.own.admin.expect<Diagnostico>(200, 'GET', `/api/v1/edges/${whole.edgeId}/diagnostico`)
  expect(answer.ligacao).toMatchObject({ conectado: true, conexoes: 1 })
  expect(answer.cameras.map(({ id, estado }) => [id, estado])).toEqual(cameras.map((id) => [id, 'online']))
  expect(answer.processos.map((one) => one.cameras)).toEqual([cameras])
  expect(answer.memoria?.livre).toBeGreaterThan(0)
  const text = JSON.stringify(answer)
  expect(text).not.toContain(gravador.senha)
  expect(text).not.toContain('rtsp://')
})
