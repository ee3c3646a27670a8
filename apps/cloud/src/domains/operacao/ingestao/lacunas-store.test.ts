import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { batch, candidate, gap, type HeldRecord, seedCamera } from '../../../test/records/records.ts'
import { ingestBatch } from './ingest-batch.ts'

let dir: string
let db: Database
let edgeId: number
let cameraId: number

beforeEach(async () => {
  dir = temporaryFolder('vigia-gaps-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  ;({ edgeId, cameraId } = await seedCamera(db))
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

type Sent = HeldRecord & { readonly base?: number; readonly desde?: number }
async function send(records: readonly Sent[], serie?: string) {
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  const answers = new Map<string, number>()
  for (let i = 0; i < records.length; i += 256) {
    const payload = batch(records.slice(i, i + 256), serie)
    const ingested = await ingestBatch({ db, media, clock: { now: Date.now } }, edgeId, payload)
    if (!ingested.ok) throw new Error(ingested.motivo)
    for (const { resultado } of ingested.respostas) answers.set(resultado, (answers.get(resultado) ?? 0) + 1)
  }
  return Object.fromEntries(answers)
}
const gaps = () => db.selectFrom('lacunas').selectAll().orderBy('de_seq').execute()
const bare = (seq: number) => candidate(cameraId, seq, { crop: null })
const every = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i + 1))

/** Maximum rows of one camera and reason after a batch: one merged row and the separate ones. */
const MOST = 257

it('bounds the rows of many jumps and keeps the number of missing events', async () => {
  expect(await send(every(1500, (i) => bare(i * 3)))).toEqual({ gravado: 1500 })
  const rows = await gaps()
  expect(rows.length).toBeLessThan(MOST)
  expect(rows[0]).toMatchObject({ de_seq: 1, motivo: 'salto_de_sequencia', uuid: null, id_reservado: null })
  expect(rows.reduce((sum, { de_seq, ate_seq, faltam }) => sum + (faltam ?? ate_seq - de_seq + 1), 0)).toBe(3000)
  // Each of the newest gaps has its own row and accepts a late event.
  expect(await send([bare(4499)])).toEqual({ gravado: 1 })
  const stored = await db.selectFrom('eventos').select('seq').orderBy('seq', 'desc').limit(2).execute()
  expect(stored.map(({ seq }) => seq)).toEqual([4500, 4499])
  expect((await gaps()).at(-1)).toMatchObject({ de_seq: 4498, ate_seq: 4498 })
  // A late event for a merged gap is stored as well.
  expect(await send([bare(1)])).toEqual({ gravado: 1 })
})

it('bounds the rows of gap records, refused records and new outboxes', async () => {
  const refused = every(600, (i) => candidate(cameraId, i * 2, { crop: Buffer.from('no picture') }))
  expect(await send(refused)).toEqual({ recusado: 600 })
  const dropped = every(600, (i) => gap(cameraId, 1200 + i * 2, 1200 + i * 2))
  expect(await send(dropped)).toEqual({ gravado: 600 })
  // A repeat after a lost answer is not counted twice.
  expect(await send(dropped)).toMatchObject({ gravado: expect.any(Number) })
  const restarts = every(256, (i) => ({
    uuid: null,
    edge_id: edgeId,
    camera_id: cameraId,
    de_seq: 2500 + i,
    ate_seq: 2499 + i,
  }))
  const restarted = { ocorrido_de: null, ocorrido_ate: null, motivo: 'fila_recomecada', registrada_em: 1 } as const
  await db
    .insertInto('lacunas')
    .values(restarts.map((row) => ({ ...row, ...restarted })))
    .execute()
  for (let i = 0; i < 3; i += 1) await send([bare(3000 + i * 2)], randomUUID())
  const rows = Map.groupBy(await gaps(), ({ motivo }) => motivo)
  const missing = (motivo: 'recusado' | 'cota_de_disco') =>
    rows.get(motivo)?.reduce((sum, { de_seq, ate_seq, faltam }) => sum + (faltam ?? ate_seq - de_seq + 1), 0)
  expect([missing('recusado'), missing('cota_de_disco')]).toEqual([600, 600])
  expect([...rows.keys()].toSorted()).toEqual(['cota_de_disco', 'fila_recomecada', 'recusado', 'salto_de_sequencia'])
  for (const [motivo, some] of rows) expect([motivo, some.length < MOST]).toEqual([motivo, true])
})

it('answers fora_de_ordem if a record would split the expected numbers into too many runs', async () => {
  await send([{ ...bare(1_000_000), base: 1, desde: 1_000_000 }])
  const picked = every(600, (i) => ({ ...bare(i * 1000), base: 1, desde: i * 1000 }))
  expect(await send(picked)).toEqual({ gravado: 254, fora_de_ordem: 346 })
  expect(await gaps()).toHaveLength(256)
  // Records in order are still stored.
  expect(await send(every(50, (i) => ({ ...bare(i), base: 1, desde: 1 })))).toEqual({ gravado: 50 })
})
