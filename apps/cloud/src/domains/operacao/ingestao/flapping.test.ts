import { randomUUID } from 'node:crypto'
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
let edgeId: number
let empresaId: number
let cameraId: number

beforeEach(async () => {
  dir = temporaryFolder('vigia-flapping-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  ;({ edgeId, cameraId, empresaId } = await seedCamera(db))
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

async function results(records: Parameters<typeof batch>[0], serie?: string) {
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  const ingested = await ingestBatch({ db, media, clock: { now: Date.now } }, edgeId, batch(records, serie))
  return ingested.ok ? ingested.respostas.map(({ resultado }) => resultado) : []
}
const bare = (camera: number, seq: number) => candidate(camera, seq, { crop: null })
/** A live record `seq` of a session in which `seq - 1` still waits. */
const overtaking = (camera: number, seq: number) => ({ ...bare(camera, seq), base: 1, desde: seq })
const session = (camera: number, from: number, n: number) =>
  results(Array.from({ length: n }, (_, i) => overtaking(camera, from + 2 * i)))
const count = async (motivo: 'a_caminho' | 'salto_de_sequencia') =>
  (await db.selectFrom('lacunas').selectAll().where('motivo', '=', motivo).execute()).length

it('limits the number of open runs; then live records wait for the backlog', async () => {
  expect(await session(cameraId, 2, 200)).not.toContain('fora_de_ordem')
  expect(await session(cameraId, 402, 100)).toEqual([...Array(56).fill('gravado'), ...Array(44).fill('fora_de_ordem')])
  expect(await count('a_caminho')).toBe(256)

  expect(await results([{ ...bare(cameraId, 1), base: 1, desde: 1 }])).toEqual(['gravado'])
  expect(await session(cameraId, 514, 2)).toEqual(['gravado', 'fora_de_ordem'])
})

it('turns all open runs of all cameras into jumps after a new outbox', async () => {
  const cameras = [cameraId]
  while (cameras.length < 12) cameras.push(await seedOneCamera(db, empresaId, edgeId))
  for (const camera of cameras) expect(await session(camera, 2, 250)).not.toContain('fora_de_ordem')
  const serie = randomUUID()
  const fresh = cameras.map((camera) => bare(camera, 501))
  expect(await results(fresh, serie)).toEqual(Array(12).fill('gravado'))
  expect([await count('a_caminho'), await count('salto_de_sequencia')]).toEqual([0, 12 * 250])
})
