import { randomUUID } from 'node:crypto'
import { encodeExtras } from '@vigia/link/extras-batch'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { openMediaStore } from '../../../adapters/media-store/open-media-store.ts'
import { loadConfig } from '../../../config.ts'
import { transact } from '../../../db/transaction.ts'
import { type Backstage, openBackstage } from '../../../test/clouds/backstage.ts'
import { type Cluster, startCluster } from '../../../test/clouds/cluster.ts'
import type { TestApp } from '../../../test/clouds/test-app.ts'
import { clipOf, uploader } from '../../../test/records/clips.ts'
import { openTestBucket, type TestBucket } from '../../../test/stand-ins/s3-bucket.ts'
import { issueCredential } from '../../locais/edges/edge-credentials.ts'
import { ingestExtras } from '../../operacao/ingestao/ingest-extras.ts'

/** Two replicas with one bucket. Each keeps unfinished uploads in its own folder. */
let cluster: Cluster
let bucket: TestBucket
let one: TestApp
let two: TestApp
let backstage: Backstage
let media: MediaStore
let made: ReturnType<typeof clipOf>
let token: string

beforeAll(async () => {
  bucket = await openTestBucket()
  const env = bucket.env('central')
  cluster = await startCluster(2, env)
  ;[one, two] = cluster.replicas as [TestApp, TestApp]
  backstage = await openBackstage(one, env)
  media = await openMediaStore(loadConfig(env))
})
afterAll(async () => {
  await backstage?.close()
  await cluster?.stop()
  await bucket?.close()
})

beforeEach(async () => {
  const camera = await backstage.camera((await one.account(`Clipes ${randomUUID().slice(0, 8)}`)).empresaId)
  const uuid = randomUUID()
  await backstage.event(camera, { uuid })
  made = clipOf(camera.cameraId, [uuid])
  const extras = encodeExtras([made.item]) ?? Buffer.alloc(0)
  await ingestExtras({ db: backstage.db, media, clock: one.clock }, camera.edgeId, extras)
  const credential = { edgeId: camera.edgeId, finalidade: 'clipe' as const, alvo: made.extra.id }
  token = await transact(backstage.db, (tx) => issueCredential(tx, credential, one.clock.now()))
})

async function requireStoredOnce() {
  const rows = await backstage.db.selectFrom('clipes').selectAll().where('uuid', '=', made.extra.id).execute()
  expect(rows).toMatchObject([{ estado: 'guardado', tamanho: made.file.length }])
  expect(await media.read(rows[0]?.caminho ?? '')).toEqual(made.file)
  expect((await bucket.keys()).filter((key) => key.endsWith(`${made.extra.id}.mp4`))).toHaveLength(1)
}

describe('an upload of a clip', () => {
  it('begins anew on another replica, and is stored once', async () => {
    const { file, extra } = made
    const [first, second] = [uploader(one.url, token), uploader(two.url, token)]
    expect((await first.begin(extra.id, file.length)).status).toBe(201)
    expect((await first.send(extra.id, 0, file.subarray(0, 100_000))).status).toBe(204)
    // The other replica has no byte of it. The edge therefore sends all of them.
    expect(await second.offset(extra.id)).toBe(0)
    expect((await second.begin(extra.id, file.length)).status).toBe(201)
    expect((await second.send(extra.id, 0, file)).status).toBe(204)
    await requireStoredOnce()
    // The first replica neither continues nor stores it again.
    expect((await first.send(extra.id, 100_000, file.subarray(100_000))).status).toBe(401)
    await requireStoredOnce()
  })

  it('whose last byte reaches both replicas at once is stored once', async () => {
    const { file, extra } = made
    const edges = [uploader(one.url, token), uploader(two.url, token)]
    for (const edge of edges) {
      expect((await edge.begin(extra.id, file.length)).status).toBe(201)
      expect((await edge.send(extra.id, 0, file.subarray(0, -1))).status).toBe(204)
    }
    const answers = await Promise.all(edges.map((edge) => edge.send(extra.id, file.length - 1, file.subarray(-1))))
    expect(answers.filter(({ status }) => status === 204).length).toBeGreaterThan(0)
    for (const { status } of answers) expect([204, 401, 409, 410]).toContain(status)
    await requireStoredOnce()
  })
})
