import { randomUUID } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../../adapters/media-store/file-media-store.ts'
import { copyPath, findClipeOf } from '../../../../db/clipes.ts'
import type { Database } from '../../../../db/open.ts'
import { openTestDatabase } from '../../../../test/clouds/template.ts'
import { seedCamera } from '../../../../test/records/records.ts'
import { DAY_MS, expectNoOrphans, type Seeded, seedEvento } from '../../../../test/records/retention-records.ts'
import { type ReconcileOptions, reconcileMedia } from './reconcile-media.ts'

const log = pino({ level: 'silent' })
let dir: string
let db: Database
let seeded: Seeded
beforeAll(async () => {
  dir = temporaryFolder('vigia-reconcile-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  seeded = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), ...(await seedCamera(db)) }
})
afterAll(() => db.destroy())

const reconcile = (options: Partial<ReconcileOptions> = {}) =>
  reconcileMedia(
    { ...seeded, log, clock: { now: Date.now } },
    { signal: new AbortController().signal, pause: 0, always: false, ...options },
  )

/** Files without a record. @param days since their last write */
async function stray(folder: string, days: number, many = 1): Promise<string[]> {
  const paths = Array.from({ length: many }, () => `${folder}/${randomUUID()}.jpg`)
  await seeded.media.putAll(paths.map((path) => ({ path, bytes: Buffer.from('x') })))
  const at = (Date.now() - days * DAY_MS) / 1_000
  for (const path of paths) await utimes(join(dir, 'media', path), at, at)
  return paths
}

it('deletes old files without a record, keeps all others, and counts missing files', async () => {
  const kept = await seedEvento(seeded, Date.now() - 3 * DAY_MS, { clip: 10, isTraining: true })
  await seedEvento(seeded, Date.now() - 3 * DAY_MS, { clip: 10 })
  for (const folder of ['eventos/2026/11/21', 'dataset/confirmado', 'clipes/2026/11/21', 'descartados/2026/11/21'])
    await stray(folder, 2)
  const [young = ''] = await stray('evidencias/2026/11/21', 0)
  expect(await reconcile()).toEqual({ files: 12, orphans: 4, deleted: 4, missing: 0 })
  expect(await seeded.media.size(young)).toBe(1)
  await expectNoOrphans(seeded)
  const { crop_path } = await db.selectFrom('eventos').selectAll().where('id', '=', kept).executeTakeFirstOrThrow()
  await seeded.media.remove(crop_path ?? '')
  expect(await reconcile()).toMatchObject({ orphans: 0, missing: 1 })
})

it('keeps the H.264 copy of a clip', async () => {
  const id = await seedEvento(seeded, Date.now() - 3 * DAY_MS, { clip: 10 })
  const { clipe } = (await findClipeOf(db, id)) ?? {}
  const path = copyPath(clipe?.caminho ?? '')
  await seeded.media.put(path, Buffer.from('x'))
  await utimes(join(dir, 'media', path), 0, 0)
  const mark = (copia_sha256: string | null) =>
    db
      .updateTable('clipes')
      .set({ copia_sha256 })
      .where('id', '=', clipe?.id ?? 0)
      .execute()
  await mark('0'.repeat(64))
  expect(await reconcile()).toMatchObject({ orphans: 0 })
  await mark(null)
  expect(await reconcile()).toMatchObject({ orphans: 1, deleted: 1 })
})

it('deletes nothing if the database is likely to be another one, unless a person says so', async () => {
  await stray('eventos/2026/11/22', 2, 101)
  expect(await reconcile()).toMatchObject({ orphans: 101, deleted: 0 })
  expect(await reconcile({ always: true })).toMatchObject({ orphans: 101, deleted: 101 })
})

it('knows every column with the path of a file', async () => {
  const tables = await db.introspection.getTables()
  const columns = tables.flatMap(({ name, columns }) =>
    columns.filter((column) => /_path$|^caminho$|^tira$/.test(column.name)).map((column) => `${name}.${column.name}`),
  )
  expect(columns.sort()).toEqual([
    'clipes.caminho',
    'clipes.tira',
    'descartados.caminho',
    'eventos.crop_path',
    'eventos.quadro_path',
    'evidencias.caminho',
    'midias.caminho',
    'midias_a_apagar.caminho',
    'passagens.dataset_path',
    'passagens.foto_path',
    'passagens.foto_placa_path',
  ])
})
