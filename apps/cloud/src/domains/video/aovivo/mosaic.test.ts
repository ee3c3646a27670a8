import type { Comando } from '@vigia/contracts/pedidos'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { type MosaicReader, openMosaicReader } from '../../../test/clients/mosaic.ts'
import { type LiveStage, startLiveStage } from '../../../test/clouds/live-stage.ts'
import type { Account, TestApp } from '../../../test/clouds/test-app.ts'
import { JPEG } from '../../../test/records/records.ts'
import type { StandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'

let app: TestApp
let own: Account
let other: Account
let edge: StandInEdge
let foreign: StandInEdge
let cameras: LiveStage['cameras']
let foreignCamera: number
const open: MosaicReader[] = []
let sending: NodeJS.Timeout | undefined

let stage: LiveStage
beforeAll(async () => {
  stage = await startLiveStage()
  ;({ app, own, other, edge, foreign, cameras, foreignCamera } = stage)
})
afterAll(() => stage?.stop())

type Order = Extract<Comando, { acao: 'enviar_miniaturas' }>
const orders = (of: StandInEdge = edge): Order[] =>
  of.commands.flatMap((one) =>
    // Viewers may ask for the cameras in any order.
    one.acao === 'enviar_miniaturas'
      ? [{ ...one, cameras: one.cameras.toSorted((a, b) => a.camera_id - b.camera_id) }]
      : [],
  )

/** Sends the pictures that the last command asks for, as a real edge does. */
function sendPictures(of: StandInEdge) {
  clearInterval(sending)
  of.answer = async () => ({ ok: true, resultado: {} })
  let turn = 0
  sending = setInterval(() => {
    const asked = orders(of).at(-1)?.cameras ?? []
    const camera_id = asked[turn++ % Math.max(1, asked.length)]?.camera_id
    if (camera_id) of.link.publishLiveFrame({ v: 1, camera_id, largura: 16, altura: 12, miniatura: true }, JPEG)
  }, 40)
}

const online = () => edge.report(cameras.slice(0, 2))
async function watch(query: string, by: Client | null = own.usuario) {
  const headers: Record<string, string> = by ? { authorization: `Bearer ${by.token}` } : {}
  const reader = await openMosaicReader(`${app.url}/api/v1/miniaturas${query}`, headers)
  open.push(reader)
  return reader
}
const refusal = async ({ response }: MosaicReader) => [response.status, await response.json()]

afterEach(async () => {
  const begun = orders().length > 0
  clearInterval(sending)
  edge.answer = async () => ({ ok: true, resultado: {} })
  for (const reader of open.splice(0)) reader.close()
  // The next test starts without viewers.
  if (begun) await waitFor('the edge to stop', () => orders().at(-1)?.cameras.length === 0)
})

describe('a mosaic', () => {
  it('shows each camera to all viewers from one command to the edge', async () => {
    await online()
    sendPictures(edge)
    const [one, two] = cameras
    const first = await watch(`?cameras=${one},${two}&grande=${two}`)
    expect(first.response.status).toBe(200)
    expect(first.response.headers.get('content-type')).toBe('multipart/mixed; boundary=quadro')
    expect(first.response.headers.get('cache-control')).toBe('no-store')
    await first.until(4)
    const second = await watch(`?cameras=${one}`, own.admin)
    await second.until(2)
    expect(new Set(first.pictures.map(({ cameraId }) => cameraId))).toEqual(new Set([one, two]))
    expect(new Set(second.pictures.map(({ cameraId }) => cameraId))).toEqual(new Set([one]))
    expect(first.pictures.every(({ jpeg }) => jpeg.equals(JPEG))).toBe(true)
    expect(orders()).toEqual([
      {
        acao: 'enviar_miniaturas',
        cameras: [
          { camera_id: one, lado_maximo: 320 },
          { camera_id: two, lado_maximo: 640 },
        ],
        cada_ms: 1_000,
        validade_ms: 30_000,
      },
    ])
    first.close()
    await waitFor('the smaller list', () => orders().at(-1)?.cameras.length === 1)
    expect(orders().at(-1)?.cameras).toEqual([{ camera_id: one, lado_maximo: 320 }])
  })

  it('ends with the session and with the camera', async () => {
    await online()
    sendPictures(edge)
    const login = await app.signIn(`usuario-${own.empresaId}`)
    const left = await watch(`?cameras=${cameras[0]}`, login)
    const stays = await watch(`?cameras=${cameras[0]},${cameras[1]}`)
    await Promise.all([left.until(1), stays.until(1)])
    await login.send('GET', '/api/v1/auth/logout')
    await left.ended
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${cameras[1]}`, { ativa: false })
    await stays.ended
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${cameras[1]}`, { ativa: true })
  })

  it('asks an edge of an older release for single pictures', async () => {
    await foreign.report([foreignCamera])
    foreign.answer = async ({ acao }) =>
      acao === 'capturar_quadro'
        ? { ok: true, resultado: { largura: 16, altura: 12 }, corpo: JPEG }
        : { ok: false, falha: 'comando_desconhecido' }
    const reader = await watch(`?cameras=${foreignCamera}`, other.usuario)
    expect(await reader.until(1)).toEqual([{ cameraId: foreignCamera, jpeg: JPEG }])
    expect(foreign.commands.map(({ acao }) => acao)).toEqual(['enviar_miniaturas', 'capturar_quadro'])
    expect(foreign.commands.at(-1)).toMatchObject({ camera_id: foreignCamera, lado_maximo: 320 })
  })

  it('shows neither live frames, nor other files, nor pictures of another edge', async () => {
    await online()
    edge.answer = async () => ({ ok: true, resultado: {} })
    const [camera_id] = cameras
    const reader = await watch(`?cameras=${camera_id}`)
    const size = { v: 1, camera_id, largura: 16, altura: 12 } as const
    const accepted = (by: StandInEdge, header: object, bytes: Buffer) =>
      waitFor('a free line', () => by.link.publishLiveFrame({ ...size, ...header }, bytes))
    await accepted(foreign, { miniatura: true }, JPEG)
    await accepted(edge, {}, JPEG)
    await accepted(edge, { miniatura: true }, Buffer.from('<script>alert(1)</script>'))
    // With a comment segment (ITU-T T.81, B.2.4.5).
    const last = Buffer.concat([JPEG.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, 4, 1, 2]), JPEG.subarray(2)])
    await accepted(edge, { miniatura: true }, last)
    expect((await reader.until(1)).map(({ jpeg }) => jpeg.equals(last))).toEqual([true])
  })
})

describe('refuses a mosaic', () => {
  it('with a camera that is missing or out of scope', async () => {
    await online()
    await foreign.report([foreignCamera])
    const missing = await refusal(await watch(`?cameras=${cameras[0]},999999`))
    expect(missing).toEqual([404, { detail: 'Câmera não encontrada.' }])
    expect(await refusal(await watch(`?cameras=${cameras[0]},${foreignCamera}`))).toEqual(missing)
    expect((await watch(`?cameras=${cameras[0]}`, null)).response.status).toBe(401)
  })

  it('of offline cameras only', async () => {
    await online()
    expect(await refusal(await watch(`?cameras=${cameras[2]}`))).toEqual([
      503,
      { detail: expect.stringContaining('online') },
    ])
  })

  it.each(['', '?cameras=', '?cameras=x', '?cameras=1,', `?cameras=${Array(65).fill(1).join(',')}`, '?cameras=0'])(
    'for "%s"',
    async (query) => {
      const { response } = await watch(query)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ detail: [{ loc: expect.arrayContaining(['query', 'cameras']) }] })
    },
  )

  it('above 16 mosaics of one login', async () => {
    await online()
    sendPictures(edge)
    const views = await Promise.all(Array.from({ length: 16 }, () => watch(`?cameras=${cameras[0]}`)))
    expect(views.map(({ response }) => response.status)).toEqual(Array(16).fill(200))
    expect((await watch(`?cameras=${cameras[0]}`)).response.status).toBe(429)
    views[0]?.close()
    await waitFor('a free slot', async () => (await watch(`?cameras=${cameras[0]}`)).response.status === 200)
  })
})
