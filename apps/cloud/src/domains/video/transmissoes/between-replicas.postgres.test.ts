import { type MensagemAoVivo, mensagemAoVivoSchema } from '@vigia/contracts/ao-vivo'
import type { Camera } from '@vigia/contracts/cameras'
import { encodeRegistro, type Fluxo } from '@vigia/contracts/transmissao'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createSecretBox, type SecretBox } from '../../../adapters/secret-box.ts'
import { type Backstage, openBackstage } from '../../../test/clouds/backstage.ts'
import { type Cluster, startCluster } from '../../../test/clouds/cluster.ts'
import type { Account, TestApp } from '../../../test/clouds/test-app.ts'
import { type StandInEdge, startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'
import { partNumber, type UploadingEdge, uploadFrom } from '../../../test/stand-ins/uploading-edge.ts'
import { RELAY_HEADER } from './relay-upload.ts'
import { type ReplicaGrant, sealReplicaToken } from './replica-token.ts'
import { STREAM_RATE } from './upload-rates.ts'

const KEY = Buffer.alloc(32, 9)
const box = createSecretBox(KEY)
let cluster: Cluster
let one: TestApp
let two: TestApp
let own: Account
let edge: StandInEdge
let backstage: Backstage
let uploads: UploadingEdge
let camera: number
let second: number

beforeAll(async () => {
  cluster = await startCluster(2, { VIGIA_CHAVE: KEY.toString('base64') })
  ;[one, two] = cluster.replicas as [TestApp, TestApp]
  own = await one.account('Loja')
  backstage = await openBackstage(one)
  edge = await startStandInEdge(own.admin, one.url)
  const urls = { rtsp_url: 'rtsp://127.0.0.9/1', sub_rtsp_url: 'rtsp://127.0.0.9/2' }
  const withSub = { nome: 'Portão', edge_id: edge.id, ...urls }
  const newCamera = async () => (await own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', withSub)).id
  camera = await newCamera()
  second = await newCamera()
  await edge.report([camera, second])
  // Every upload reaches the second replica, whichever owns the stream.
  uploads = uploadFrom(edge, two.url)
})
/** As an edge does every few seconds: without a report its cameras are offline after a while. */
beforeEach(() => edge.report([camera, second]))
afterAll(async () => {
  uploads?.stop()
  await edge?.stop()
  await backstage?.close()
  await cluster?.stop()
})

interface Viewer {
  readonly texts: readonly MensagemAoVivo[]
  readonly parts: readonly number[]
  readonly isOpen: boolean
  close(): void
}

function view(app: TestApp, fluxo: Fluxo = 'principal', prioridade = 'aberta', id = camera): Viewer {
  const path = `/api/v1/cameras/${id}/transmissao?fluxo=${fluxo}&prioridade=${prioridade}`
  const headers = { authorization: `Bearer ${own.usuario.token}` }
  const socket = new WebSocket(app.url.replace('http', 'ws') + path, { headers })
  const texts: MensagemAoVivo[] = []
  const parts: number[] = []
  socket.on('error', () => {})
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) texts.push(mensagemAoVivoSchema.parse(JSON.parse(String(data))))
    else parts.push(...[partNumber(data)].filter((number) => number !== null))
  })
  return {
    texts,
    parts,
    get isOpen() {
      return socket.readyState === WebSocket.OPEN
    },
    close: () => socket.terminate(),
  }
}

const received = (viewer: Viewer, count: number, timeoutMs = 60_000) =>
  waitFor(`${count} parts`, () => viewer.parts.length >= count, { timeoutMs, everyMs: 20 })

/** Whether no part is missing and none was repeated. */
const isGapless = ({ parts }: Viewer) => parts.every((number, at) => number === (parts[0] ?? 0) + at)

const rowOf = (id = camera) =>
  backstage.db
    .selectFrom('transmissoes')
    .selectAll()
    .where('camera_id', '=', id)
    .where('fluxo', '=', 'principal')
    .executeTakeFirstOrThrow()

/** Connections of replicas that read this stream from that one, so far. */
const readers = (app: TestApp, fluxo: Fluxo) =>
  app.logText().split(`"caminho":"/api/v1/replicas/transmissoes/${camera}/${fluxo}"`).length - 1

/** Status of a WebSocket handshake. */
async function ask(address: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(address.replace('http', 'ws'), { headers })
  socket.on('error', () => {})
  const status = await new Promise<number>((resolve) => {
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
  })
  socket.terminate()
  return status
}

describe('a stream of two replicas', () => {
  it('has one upload, which reaches the owner through another replica, and crosses to it once', async () => {
    const first = view(one)
    await received(first, 2)
    const others = [view(two), view(two)]
    for (const viewer of [first, ...others]) await received(viewer, 16)
    expect([first, ...others].map(isGapless)).toEqual([true, true, true])
    expect(others[0]?.texts[1]).toEqual(first.texts[1])
    expect(uploads.opened).toBe(1)
    expect(readers(one, 'principal')).toBe(1)
    expect(readers(two, 'principal')).toBe(0)
    for (const viewer of [first, ...others]) viewer.close()
  })

  it('has the highest priority of the viewers of all replicas', async () => {
    const tiles = [view(one, 'secundario', 'mosaico')]
    await received(tiles[0] as Viewer, 2)
    tiles.push(view(two, 'secundario', 'mosaico'))
    await received(tiles[1] as Viewer, 2)
    const orders = () => uploads.orders.filter(({ fluxo }) => fluxo === 'secundario')
    expect(orders().map(({ prioridade }) => prioridade)).toEqual(['mosaico'])
    // The viewers of the other replica learn the part length of the owner.
    expect(tiles[1]?.texts[1]).toMatchObject({ tipo: 'inicio', parte_ms: 500 })
    const opened = view(two, 'secundario')
    await waitFor('the order', () => orders().at(-1)?.prioridade === 'aberta')
    await received(tiles[1] as Viewer, (tiles[1]?.parts.length ?? 0) + 4)
    expect(isGapless(tiles[1] as Viewer)).toBe(true)
    for (const viewer of [...tiles, opened]) viewer.close()
  })

  it('refuses a token that is wrong, of another installation, expired or for something else', async () => {
    const viewer = view(one)
    await received(viewer, 2)
    const { replica: para, epoca } = await rowOf()
    const right: ReplicaGrant = { uso: 'ler', camera, fluxo: 'principal', epoca, para }
    const address = `${one.url}/api/v1/replicas/transmissoes/${camera}/principal?epoca=${epoca}&prioridade=aberta`
    const statusOf = (grant: ReplicaGrant, ageMs = 0, by: SecretBox = box) =>
      ask(address, { authorization: `Bearer ${sealReplicaToken(by, grant, Date.now() - ageMs)}` })
    expect(await statusOf(right)).toBe(101)
    const refused = [
      ask(address, {}),
      ask(address, { authorization: 'Bearer errado' }),
      ask(address, { authorization: `Bearer ${own.admin.token}` }),
      statusOf(right, 61_000),
      statusOf(right, -61_000),
      statusOf(right, 0, createSecretBox(Buffer.alloc(32, 1))),
      statusOf({ ...right, uso: 'repassar' }),
      statusOf({ ...right, camera: camera + 1 }),
      statusOf({ ...right, fluxo: 'secundario' }),
      statusOf({ ...right, epoca: epoca + 1 }),
      statusOf({ ...right, para: 'outra' }),
    ]
    expect(await Promise.all(refused)).toEqual(refused.map(() => 401))
    const past = address.replace(/epoca=\d+/, `epoca=${epoca + 1}`)
    const token = sealReplicaToken(box, { ...right, epoca: epoca + 1 }, Date.now())
    expect(await ask(past, { authorization: `Bearer ${token}` })).toBe(404)
    viewer.close()
  })

  it('refuses a forged relay, and passes no relay on', async () => {
    const order = uploads.orders.findLast(({ fluxo }) => fluxo === 'principal')
    const { replica: para, epoca } = await rowOf()
    const grant: ReplicaGrant = { uso: 'repassar', camera, fluxo: 'principal', epoca, para }
    const statusOf = (app: TestApp, mark: string, token = order?.token ?? '') =>
      ask(`${app.url}${order?.caminho}`, { authorization: `Bearer ${token}`, [RELAY_HEADER]: mark })
    const seal = (change: Partial<ReplicaGrant> = {}, ageMs = 0) =>
      sealReplicaToken(box, { ...grant, ...change }, Date.now() - ageMs)
    expect(await statusOf(one, 'sim')).toBe(401)
    expect(await statusOf(one, seal({}, 61_000))).toBe(401)
    expect(await statusOf(one, seal({ uso: 'ler' }))).toBe(401)
    expect(await statusOf(one, seal(), 'A'.repeat(43))).toBe(401)
    // The second replica is not the one that the mark names, and does not own the stream.
    expect(await statusOf(two, seal())).toBe(401)
    const names = await backstage.db.selectFrom('replicas').select('id').where('id', '!=', para).execute()
    expect(await statusOf(two, seal({ para: names[0]?.id ?? '' }))).toBe(401)
  })

  it('ends an upload above its rates at the replica that passes it on', async () => {
    const viewer = view(one, 'secundario', 'aberta', second)
    await received(viewer, 2)
    const order = uploads.orders.findLast(({ camera_id, fluxo }) => camera_id === second && fluxo === 'secundario')
    const headers = { authorization: `Bearer ${order?.token}` }
    const socket = new WebSocket(`${two.url.replace('http', 'ws')}${order?.caminho}`, { headers })
    socket.on('error', () => {})
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.on('open', resolve))
    const gap = encodeRegistro({ tipo: 'lacuna' })
    for (let count = 0; count < 4 * STREAM_RATE.burstRecords; count++) socket.send(gap)
    expect(await closed).toBe(1008)
    viewer.close()
  })

  it('resumes for the viewers of both when its owner has lost it to a process that died', async () => {
    const viewers = [one, two].map((app) => view(app, 'principal', 'mosaico', second))
    for (const viewer of viewers) await received(viewer, 2)
    const { epoca } = await rowOf(second)
    await backstage.db
      .updateTable('transmissoes')
      .set({ replica: 'morta', epoca: epoca + 1, vence_em: Date.now() + 2_000 })
      .where('camera_id', '=', second)
      .execute()
    // The owner notices at its next order, which a higher priority causes at once.
    viewers.push(view(one, 'principal', 'aberta', second))
    await waitFor('the next epoch', async () => (await rowOf(second)).epoca > epoca + 1)
    const before = viewers.map(({ parts }) => parts.length)
    for (const [at, viewer] of viewers.entries()) await received(viewer, (before[at] ?? 0) + 4)
    expect(viewers.map(({ isOpen }) => isOpen)).toEqual([true, true, true])
    for (const viewer of viewers) viewer.close()
  })

  it('resumes without a reload when its owner stops', { timeout: 180_000 }, async () => {
    const viewers = [view(one), view(two)]
    for (const viewer of viewers) await received(viewer, 2)
    const order = uploads.orders.findLast(({ camera_id, fluxo }) => camera_id === camera && fluxo === 'principal')
    if (!order) throw new Error('no order')
    // The owner ends the older of two connections, and the replica between them passes its close code on.
    await uploads.dial(order)
    await waitFor('the end of the older connection', () => uploads.closed.includes(4410))
    expect(uploads.closed).not.toContain(1012)
    const [, viewer] = viewers as [Viewer, Viewer]
    await one.stop()
    await waitFor('the end of its connection', () => uploads.closed.includes(1012))
    // Parts of the first stream may still be on their way.
    await waitFor('the second start', () => viewer.texts.filter(({ tipo }) => tipo === 'inicio').length === 2)
    await received(viewer, viewer.parts.length + 8)
    expect(viewer.isOpen).toBe(true)
    expect(viewer.texts.map(({ tipo }) => tipo)).toEqual(['fluxo', 'inicio', 'inicio'])
  })
})
