import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { createUploadRates, EDGE_UPLOAD, REQUEST_RECORDS, REQUESTS_AT_ONCE, ROOT_UPLOAD } from './upload-rates.ts'

/** Three edges of one Empresa and one of another. */
let own: readonly number[]
let other: number
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const { empresaId } = await app.account('Obra')
  const edges: number[] = []
  while (edges.length < 3) edges.push((await backstage.camera(empresaId)).edgeId)
  own = edges
  const neighbour = await app.account('Mercado')
  other = (await backstage.camera(neighbour.empresaId)).edgeId
})

const MIB = 1024 * 1024
const never = new AbortController().signal

/** Rates whose clock stands still, so that a sender above its rates waits without end. */
function startRates() {
  const { run } = createUploadRates({ db: backstage.db, monotonic: () => 1_000 })
  /** Bytes of one body that an edge sends before it waits, in chunks of 1 MiB. */
  async function sent(edgeId: number, mib: number, chunk = MIB): Promise<number> {
    let bytes = 0
    const leaving = new AbortController()
    const body = async function* () {
      for (let count = 0; count < mib; count++) yield new Uint8Array(chunk)
    }
    const running = run(edgeId, leaving.signal, async (limited) => {
      for await (const one of limited(body())) {
        bytes += one.length
        setImmediate(() => setImmediate(() => leaving.abort()))
      }
    })
    await running.catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error
    })
    return bytes
  }
  return { run, sent }
}

it('lets the bytes of an edge wait above its rate, and not those of another', async () => {
  const { sent } = startRates()
  expect(await sent(own[0] ?? 0, 100)).toBe(EDGE_UPLOAD.burstBytes + MIB)
  expect(await sent(own[1] ?? 0, 10)).toBe(10 * MIB)
})

it('lets the bytes of all edges of a root Empresa wait above its rate, and not those of a neighbour', async () => {
  const { sent } = startRates()
  let bytes = 0
  for (const edge of own) bytes += await sent(edge, 60)
  expect(bytes).toBe(ROOT_UPLOAD.burstBytes + MIB)
  expect(await sent(other, 10)).toBe(10 * MIB)
})

it('lets small chunks and requests of an edge wait above their rate', async () => {
  const { sent } = startRates()
  expect(await sent(own[0] ?? 0, 10_000, 1)).toBe(EDGE_UPLOAD.burstRecords - REQUEST_RECORDS + 1)
})

it('refuses more requests of an edge at a time', async () => {
  const { run } = startRates()
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = Array.from({ length: REQUESTS_AT_ONCE }, () => run(other, never, () => promise))
  await expect(run(other, never, () => promise)).rejects.toMatchObject({ code: 'muitas_requisicoes' })
  await expect(run(own[0] ?? 0, never, async () => 'served')).resolves.toBe('served')
  resolve()
  await Promise.all(waiting)
  await expect(run(other, never, async () => 'served')).resolves.toBe('served')
})
