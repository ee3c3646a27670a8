import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { batch, candidate, seedCamera, seedOneCamera } from '../../../test/records/records.ts'
import { ingestBatch } from './ingest-batch.ts'

let dir: string
let db: Database
let now: number
let origin: Awaited<ReturnType<typeof seedCamera>>

beforeEach(async () => {
  dir = temporaryFolder('vigia-orcamento-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  now = Date.UTC(2026, 10, 21, 12)
  origin = await seedCamera(db)
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true })
})

const seqs = new Map<number, number>()
/** Sends `count` live events of a camera in one batch; `ocorrido_em` follows the clock. */
const send = async (cameraId: number, count: number, change: { ia?: 'invasao' | 'fogo'; lateMs?: number } = {}) => {
  const { ia = 'invasao', lateMs = 0 } = change
  const records = Array.from({ length: count }, () => {
    const seq = (seqs.get(cameraId) ?? 0) + 1
    seqs.set(cameraId, seq)
    return candidate(cameraId, seq, { crop: null, change: { ia, ocorrido_em: now - lateMs } })
  })
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  const budget = { perCamera: 5, perEdge: 8 }
  const done = await ingestBatch({ db, media, clock: { now: () => now }, budget }, origin.edgeId, batch(records))
  expect(done).toMatchObject({ ok: true, gravados: count })
}
const deferred = async (cameraId: number) => {
  const rows = await db
    .selectFrom('eventos')
    .select(['id', 'detalhes_json'])
    .where('camera_id', '=', cameraId)
    .orderBy('id')
    .execute()
  return rows.map(({ detalhes_json }) => (JSON.parse(detalhes_json) as { adiado?: boolean }).adiado === true)
}
const priorities = async () => {
  const rows = await db.selectFrom('trabalhos').select('prioridade').orderBy('id').execute()
  return rows.map(({ prioridade }) => prioridade)
}

it('stores and marks events beyond the budget of a camera and verifies them last', async () => {
  seqs.clear()
  await send(origin.cameraId, 4)
  await send(origin.cameraId, 3)
  expect(await deferred(origin.cameraId)).toEqual([...Array(5).fill(false), true, true])
  expect(await priorities()).toEqual([1, 1, 1, 1, 1, 5, 5])
  now += 60_000
  await send(origin.cameraId, 1)
  expect((await deferred(origin.cameraId)).at(-1)).toBe(false)
})

it('keeps the edge budget available to the other cameras, which share it', async () => {
  seqs.clear()
  const other = await seedOneCamera(db, origin.empresaId, origin.edgeId)
  await send(origin.cameraId, 50)
  await send(other, 4)
  expect(await deferred(other)).toEqual([false, false, false, true])
})

it('gives critical events a separate budget of ten a minute per camera', async () => {
  seqs.clear()
  await send(origin.cameraId, 20)
  await send(origin.cameraId, 12, { ia: 'fogo' })
  expect((await deferred(origin.cameraId)).slice(20)).toEqual([...Array(10).fill(false), true, true])
  expect((await priorities()).slice(20)).toEqual([...Array(10).fill(0), 4, 4])
})

it('does not count events from the backlog', async () => {
  seqs.clear()
  await send(origin.cameraId, 20, { lateMs: 600_000 })
  await send(origin.cameraId, 5)
  expect(await deferred(origin.cameraId)).toEqual(Array(25).fill(false))
  expect(await priorities()).toEqual([...Array(20).fill(5), ...Array(5).fill(1)])
})

it('begins a new minute when the clock is set back', async () => {
  seqs.clear()
  await send(origin.cameraId, 6)
  now -= 3_600_000
  await send(origin.cameraId, 1)
  expect((await deferred(origin.cameraId)).slice(-2)).toEqual([true, false])
  expect(await db.selectFrom('orcamento_eventos').selectAll().execute()).toHaveLength(2)
})
