import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeRegistro } from '@vigia/contracts/transmissao'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../../../adapters/clock.ts'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import { CONTROL_RATE } from '../../../http/control-frames.ts'
import { onlyReplica } from '../../../replicas/replica.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { createLiveStreams, type LiveStreams } from './live-streams.ts'
import { MOST_TEXTS } from './read-owner.ts'
import type { StreamSeat } from './stream-state.ts'
import { createUploadRates, STREAM_RATE } from './upload-rates.ts'
import { createWindowBudget } from './window-budget.ts'

let camera: { readonly id: number; readonly edgeId: number }
/** Server of the replica that owns the stream. */
let server: Server
let wss: WebSocketServer
let streams: LiveStreams
let seat: StreamSeat
/** Connections of the follower. */
let readers: WebSocket[]

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const { empresaId } = await app.account('Mercado')
  const { cameraId: id, edgeId } = await backstage.camera(empresaId)
  camera = { id, edgeId }
  const lease = { replica: 'dona', epoca: 1, vence_em: Number.MAX_SAFE_INTEGER }
  await backstage.db
    .insertInto('transmissoes')
    .values({ camera_id: id, fluxo: 'principal', ...lease })
    .execute()
})

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  wss = new WebSocketServer({ server })
  readers = []
  wss.on('connection', (socket) => {
    socket.on('error', () => {})
    readers.push(socket)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  streams = createLiveStreams({
    db: backstage.db,
    clock: systemClock,
    box: createSecretBox(Buffer.alloc(32, 1)),
    replica: { ...onlyReplica, name: 'seguidora', others: () => [{ id: 'dona', url }] },
    askEdge: async () => {
      throw new Error('a follower asks no edge')
    },
    rates: createUploadRates(() => performance.now()),
    budget: createWindowBudget(64 * 1024 * 1024),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  seat = streams.watch(camera, 'principal', 'aberta')
})
afterEach(async () => {
  seat.leave()
  await streams.stop()
  for (const reader of readers) reader.terminate()
  wss.close()
  server.close()
})

/** The nth connection of the follower. */
const reader = (at: number) => waitFor('a connection', () => readers[at])
const isClosed = (socket: WebSocket) =>
  waitFor('the end of the connection', () => socket.readyState === WebSocket.CLOSED)

it('leaves an owner that sends records above the rates of a stream, and reads it again', async () => {
  const first = await reader(0)
  const gap = encodeRegistro({ tipo: 'lacuna' })
  for (let count = 0; count < 4 * STREAM_RATE.burstRecords; count++) first.send(gap)
  await isClosed(first)
  expect((await reader(1)).readyState).toBe(WebSocket.OPEN)
  expect(seat.ended.aborted).toBe(false)
})

it('leaves an owner that sends texts without end', async () => {
  const first = await reader(0)
  for (let count = 0; count <= MOST_TEXTS; count++) first.send(JSON.stringify({ tipo: 'inicio', parte_ms: 250 }))
  await isClosed(first)
})

it('leaves an owner that pings without end, and answers the pings of another', async () => {
  const first = await reader(0)
  for (let count = 0; count < 2 * CONTROL_RATE.burstRecords; count++) first.ping()
  await isClosed(first)
  const second = await reader(1)
  second.ping('a')
  expect(String((await once(second, 'pong'))[0])).toBe('a')
})
