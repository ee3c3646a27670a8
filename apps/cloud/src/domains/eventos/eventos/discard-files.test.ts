import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { announceFiles, forgetFile, listFiles, markFile } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { operatorCaller } from '../../../test/clients/operator-caller.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { discardFiles, sweepFiles } from './discard-files.ts'
import { saveReview } from './review-store.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
let dir: string
let db: Database
let media: MediaStore
beforeEach(async () => {
  dir = temporaryFolder('vigia-discard-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  media = createFileMediaStore({ dir: join(dir, 'media') })
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true })
})

it('keeps a file that another replica recorded after the list was read', async () => {
  const [abandoned, recorded] = ['dataset/confirmado/a.jpg', 'dataset/confirmado/b.jpg']
  for (const path of [abandoned, recorded]) await media.put(path, Buffer.from('x'))
  await announceFiles(db, [abandoned, recorded])
  // During the deletion of the first file the review of the second is recorded: its row is gone and the event uses the
  // file.
  const remove = async (path: string) => {
    if (path === abandoned) await forgetFile(db, recorded)
    await media.remove(path)
  }
  await sweepFiles({ db, media: { ...media, remove }, log })
  expect([await media.read(abandoned), (await media.read(recorded))?.toString()]).toEqual([null, 'x'])
})

it('deletes both files of a review if another replica gave up one of them', async () => {
  const novos = ['dataset/confirmado/a.jpg', 'dataset/confirmado/a.json']
  for (const path of novos) await media.put(path, Buffer.from('x'))
  await announceFiles(db, novos)
  expect(await markFile(db, 'dataset/confirmado/a.jpg')).toBe(true)
  const files = novos.map((path) => ({ path, empresaId: 1, bytes: 1 }))
  const review = { rotulo: 'confirmado', revisor: 'Ana', autor: operatorCaller, now: 1, antigos: [] } as const
  expect(await saveReview(db, { id: 1 } as EventoRow, { ...review, novos: files })).toBe(false)
  await discardFiles({ db, media, log }, novos)
  expect(await Promise.all(novos.map(media.read))).toEqual([null, null])
  expect(await listFiles(db)).toEqual([])
})
