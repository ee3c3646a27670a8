import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import { type Database, openDatabase } from '../../db/open.ts'
import { batch, candidate, JPEG, seedCamera } from '../../test/records.ts'
import { ingestBatch } from './ingest-batch.ts'

const BATCHES = 100
const SIZE = 64

/** A comment segment (ITU-T T.81 B.2.4.5) pads the picture to the size of a crop. */
function comment(length: number): Buffer {
  const segment = Buffer.alloc(length, 0x20)
  segment.writeUInt16BE(0xff_fe, 0)
  segment.writeUInt16BE(length - 2, 2)
  return segment
}
const CROP = Buffer.concat([JPEG.subarray(0, 2), comment(2048 - JPEG.length), JPEG.subarray(2)])

/** Runs all batches and returns records per second. */
async function rate(run: (i: number) => Promise<void> | void): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < BATCHES; i += 1) await run(i)
  return (BATCHES * SIZE * 1000) / (performance.now() - start)
}

async function ingestAll(db: Database, dir: string, crop: Buffer | null): Promise<number> {
  const { edgeId, cameraId } = await seedCamera(db)
  const deps = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), clock: { now: Date.now } }
  const payloads = Array.from({ length: BATCHES }, (_, i) =>
    batch(Array.from({ length: SIZE }, (_, j) => candidate(cameraId, i * SIZE + j + 1, { crop }))),
  )
  return rate(async (i) => {
    const ingested = await ingestBatch(deps, edgeId, payloads[i] ?? Buffer.alloc(0))
    expect(ingested).toMatchObject({ ok: true, gravados: SIZE })
  })
}

/** Inserts the same rows in the same transactions without reads, decisions, counts or checks. */
async function insertAll(file: string, rows: readonly { id: number; recebido_em: number }[]): Promise<number> {
  await (await openDatabase(file)).destroy()
  const plain = new SqliteDatabase(file)
  plain.pragma('synchronous = FULL')
  plain.pragma('foreign_keys = OFF')
  const columns = Object.keys(rows[0] ?? {})
  const event = plain.prepare(`insert into eventos (${columns}) values (${columns.map((name) => `:${name}`)})`)
  const line = plain.prepare("insert into alertas (evento_id, tipo, criado_em) values (:id, 'evento', :recebido_em)")
  const perSecond = await rate((i) =>
    plain.transaction(() => {
      for (const row of rows.slice(i * SIZE, (i + 1) * SIZE)) {
        event.run(row)
        line.run({ id: row.id, recebido_em: row.recebido_em })
      }
    })(),
  )
  plain.close()
  return perSecond
}

it('stores batches at a rate that is compared with plain inserts', async () => {
  const dir = temporaryDiskFolder('vigia-speed-')
  const db = await openDatabase(join(dir, 'vigia.db'))
  const withPictures = await ingestAll(db, dir, CROP)
  const rows = await db.selectFrom('eventos').selectAll().orderBy('id').execute()
  expect(rows).toHaveLength(BATCHES * SIZE)
  const without = await ingestAll(db, dir, null)
  await db.destroy()
  const plain = await insertAll(join(dir, 'plain.db'), rows)
  await rm(dir, { recursive: true, force: true })

  const rateText = (what: string, perSecond: number) =>
    `${what} ${Math.round(perSecond)} (${(perSecond / plain).toFixed(2)} of the plain insert)`
  console.info(
    `records a second: plain insert ${Math.round(plain)}; ` +
      `${rateText('ingest with pictures', withPictures)}; ${rateText('without', without)}`,
  )
  expect(withPictures / plain).toBeGreaterThan(0.01)
  expect(without / plain).toBeGreaterThan(0.1)
}, 120_000)
