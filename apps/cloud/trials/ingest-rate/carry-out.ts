import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { above, resultOf } from '@vigia/testing/checks'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import SqliteDatabase from 'better-sqlite3'
import { createFileMediaStore } from '../../src/adapters/media-store/file-media-store.ts'
import { type Database, openDatabase } from '../../src/db/open.ts'
import { ingestBatch } from '../../src/domains/operacao/ingestao/ingest-batch.ts'
import { batch, candidate, JPEG, seedCamera } from '../../src/test/records/records.ts'

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
    if (!ingested.ok || ingested.gravados !== SIZE) throw new Error(`not stored: ${JSON.stringify(ingested)}`)
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

/** Stores batches with and without pictures, and their rows by plain inserts. */
export async function carryOut({ print }: TrialOutput): Promise<Result> {
  const dir = temporaryDiskFolder('vigia-speed-')
  try {
    const db = await openDatabase(join(dir, 'vigia.db'))
    const withPictures = await ingestAll(db, dir, CROP)
    const rows = await db.selectFrom('eventos').selectAll().orderBy('id').execute()
    if (rows.length !== BATCHES * SIZE) throw new Error(`${rows.length} rows of ${BATCHES * SIZE}`)
    const without = await ingestAll(db, dir, null)
    await db.destroy()
    const plain = await insertAll(join(dir, 'plain.db'), rows)
    const perSecond = (rate: number) => `${Math.round(rate)}/s`
    print(`plain ${perSecond(plain)}, with pictures ${perSecond(withPictures)}, without ${perSecond(without)}`)
    return resultOf([
      above('with pictures, of the plain rate', withPictures / plain, 0.01),
      above('without pictures, of the plain rate', without / plain, 0.1),
    ])
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
