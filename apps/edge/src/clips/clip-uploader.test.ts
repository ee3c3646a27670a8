import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import { connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import { createUploadRate } from '../outbox/upload-rate.ts'
import { createClipFiles } from './clip-files.ts'
import { type ClipStore, createClipStore } from './clip-store.ts'
import { type ClipUploader, type ClipUploaderOptions, createClipUploader } from './clip-uploader.ts'

const PATH = '/api/v1/clipes'
const TOKEN = 'a'.repeat(43)

let dir = ''
let db: EdgeDb
let store: ClipStore
let uploader: ClipUploader
let http: HttpServer
let proxy: TcpServer
/** Finished uploads by the id of the clip. */
let finished: Map<string, Buffer>
let requests: string[] = []
let largestChunk = 0
/** Fixed answer to a method; null: none. */
let answer: { readonly to: string; readonly status: number } | null = null
/** Bytes of the client after which the proxy cuts the connection once; null: never. */
let cutAfter: number | null = null
const sent: string[] = []

beforeEach(async () => {
  dir = temporaryFolder('vigia-clip-uploader-')
  finished = new Map()
  requests = []
  sent.length = 0
  largestChunk = 0
  cutAfter = null
  answer = null
  open()
  http = createServer(await tusServer())
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  proxy = createTcpServer((client) => {
    const target = connect(portOf(http), '127.0.0.1')
    let bytes = 0
    client.on('data', (chunk) => {
      bytes += chunk.length
      if (cutAfter === null || bytes < cutAfter) return
      cutAfter = null
      client.destroy()
      target.end()
    })
    void pipeline(client, target).catch(() => {})
    void pipeline(target, client).catch(() => {})
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await uploader.stop()
  proxy.close()
  http.closeAllConnections()
  http.close()
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

function open() {
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  store = createClipStore(db, { now: Date.now })
}

const portOf = (server: HttpServer | TcpServer): number => {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** The reference implementation of tus. It accepts one token. */
async function tusServer() {
  const folder = join(dir, 'uploads')
  mkdirSync(folder)
  const tus = new Server({
    path: PATH,
    relativeLocation: true,
    datastore: new FileStore({ directory: folder }),
    async onUploadFinish(_request, upload) {
      finished.set(upload.metadata?.clipe ?? '', readFileSync(join(folder, upload.id)))
      return {}
    },
  })
  return (request: Parameters<typeof tus.handle>[0], response: Parameters<typeof tus.handle>[1]) => {
    requests.push(request.method ?? '')
    if (request.method === 'PATCH') largestChunk = Math.max(largestChunk, Number(request.headers['content-length']))
    if (answer !== null && request.method === answer.to) response.writeHead(answer.status).end()
    else if (request.headers.authorization !== `Bearer ${TOKEN}`) response.writeHead(401).end()
    else void tus.handle(request, response)
  }
}

function start(options: Partial<ClipUploaderOptions> = {}) {
  uploader = createClipUploader({
    store,
    files: createClipFiles(join(dir, 'clipes')),
    log: pino({ level: 'silent' }),
    cloudUrl: `http://127.0.0.1:${portOf(proxy)}`,
    rate: createUploadRate({ limitKbps: () => null, monotonic: () => performance.now() }),
    hasTurn: () => true,
    onSettled: (id) => void sent.push(id),
    backoff: { minMs: 5, maxMs: 20 },
    ...options,
  })
  uploader.start()
}

let startedAt = 0
function clip(bytes: number): { id: string; data: Buffer } {
  const data = randomBytes(bytes)
  const id = uuidV7(Date.now())
  mkdirSync(join(dir, 'clipes'), { recursive: true })
  writeFileSync(join(dir, 'clipes', `${id}.mp4`), data)
  const sha256 = createHash('sha256').update(data).digest('hex')
  store.keepAlone({ id, cameraId: 7, startedAt: ++startedAt, bytes, sha256 })
  return { id, data }
}

const order = (id: string, token = TOKEN) => uploader.order(id, { path: PATH, token })

it('sends requested clips in chunks, the newest first, one at a time', async () => {
  const [first, second, third] = [clip(700_000), clip(300_000), clip(10)]
  start()
  for (const { id } of [first, second, third]) expect(order(id)).toBe(true)
  await waitFor('all clips', () => sent.length === 3)
  expect(sent).toEqual([third.id, second.id, first.id])
  for (const { id, data } of [first, second, third]) expect(finished.get(id)?.equals(data)).toBe(true)
  expect(largestChunk).toBeLessThanOrEqual(256 * 1024)
  expect(store.nextUpload()).toBeNull()
  expect(order(uuidV7(Date.now()))).toBe(false)
})

it('continues after a cut in the middle of a chunk', async () => {
  const { id, data } = clip(600_000)
  start()
  cutAfter = 150_000
  order(id)
  await waitFor('the clip', () => sent.length === 1)
  expect(finished.get(id)?.equals(data)).toBe(true)
  expect(requests.filter((method) => method === 'POST')).toHaveLength(1)
  expect(requests.filter((method) => method === 'HEAD').length).toBeGreaterThanOrEqual(2)
})

it('continues after a restart of the program where it stopped', async () => {
  const { id, data } = clip(600_000)
  let chunks = 0
  start({ hasTurn: () => requests.filter((method) => method === 'PATCH').length < 2 })
  order(id)
  await waitFor('two chunks', () => requests.filter((method) => method === 'PATCH').length === 2)
  await uploader.stop()
  expect(finished.size).toBe(0)
  db.close()
  open()
  const before = requests.length
  start({ hasTurn: () => ++chunks > 0 })
  await waitFor('the clip', () => sent.length === 1)
  expect(finished.get(id)?.equals(data)).toBe(true)
  expect(requests.slice(before)[0]).toBe('HEAD')
  expect(requests.filter((method) => method === 'POST')).toHaveLength(1)
})

it('waits while an event waits for the line, and keeps to the limit of the line', async () => {
  const { id } = clip(100_000)
  let free = false
  // 100 kB at 1,600 kbit/s take half a second.
  const rate = createUploadRate({ limitKbps: () => 1600, monotonic: () => performance.now() })
  start({ rate, hasTurn: () => free })
  order(id)
  await waitFor('the creation', () => requests.includes('HEAD'))
  expect(requests).not.toContain('PATCH')
  const begun = performance.now()
  free = true
  await waitFor('the clip', () => sent.length === 1)
  // The caller does not wait for the last chunk.
  expect(performance.now() - begun).toBeGreaterThan(150)
})

it('gives up a refused clip and sends the others', async () => {
  const [refused, other] = [clip(1000), clip(1000)]
  start()
  order(refused.id, 'b'.repeat(43))
  order(other.id)
  await waitFor('no clip to wait', () => store.nextUpload() === null)
  expect(sent).toEqual([other.id])
  expect(store.find(refused.id)).not.toBeNull()
  order(refused.id)
  await waitFor('the clip under a new token', () => sent.length === 2)
})

it('begins again when the server has forgotten the upload', async () => {
  const { id, data } = clip(1000)
  store.want(id, { path: PATH, token: TOKEN, location: `http://127.0.0.1:${portOf(proxy)}${PATH}/forgotten` })
  start()
  await waitFor('the clip', () => sent.length === 1)
  expect(finished.get(id)?.equals(data)).toBe(true)
  expect(requests).toEqual(['HEAD', 'POST', 'HEAD', 'PATCH'])
})

it('skips a clip whose file is lost', async () => {
  const [lost, other] = [clip(1000), clip(1000)]
  rmSync(join(dir, 'clipes', `${lost.id}.mp4`))
  start()
  order(lost.id)
  order(other.id)
  await waitFor('the other clip', () => sent.length === 1)
  expect(store.nextUpload()).toBeNull()
})

it.each([
  [409, ['POST', ...Array(4).fill(['HEAD', 'PATCH'])].flat(), 0],
  [404, Array(4).fill(['POST', 'HEAD', 'PATCH']).flat(), 1],
])('gives up when every chunk is answered with %i', async (status, expected, settled) => {
  const { id } = clip(1000)
  answer = { to: 'PATCH', status }
  start()
  order(id)
  await waitFor('the end of the order', () => store.nextUpload() === null)
  expect(requests).toEqual(expected)
  // A clip that the cloud has deleted needs no copy.
  expect(sent).toHaveLength(settled)
})
