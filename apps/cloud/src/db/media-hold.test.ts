import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../adapters/media-store/file-media-store.ts'
import { discardFiles, discardGivenUp } from '../domains/eventos/eventos/discard-files.ts'
import { openTestDatabase } from '../test/clouds/template.ts'
import { endMediaHold, isMediaHeld, renewMediaHold, takeMediaHold } from './media-hold.ts'
import { listForDeletion } from './midias-a-apagar.ts'
import type { Database } from './open.ts'
import { transact } from './transaction.ts'

let dir: string
let db: Database
beforeEach(async () => {
  dir = temporaryFolder('vigia-reserva-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const expire = () => db.updateTable('posses').set({ ate: 1 }).execute()

it('keeps files that lost their record until each backup has ended', async () => {
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  const deps = { db, media, log: pino({ level: 'silent' }) }
  const path = 'eventos/2026/11/21/a-crop.jpg'
  await media.put(path, Buffer.from('x'))
  await transact(db, (tx) => listForDeletion(tx, [path]))
  await takeMediaHold(db, 'a')
  await takeMediaHold(db, 'b')
  await discardFiles(deps, [path])
  await endMediaHold(db, 'a')
  await discardGivenUp(deps)
  expect(await media.size(path)).toBe(1)
  await endMediaHold(db, 'b')
  await discardGivenUp(deps)
  expect(await media.size(path)).toBeNull()
  expect(await db.selectFrom('midias_a_apagar').selectAll().execute()).toEqual([])
})

it('ends by itself after a crash, and cannot be renewed then', async () => {
  await takeMediaHold(db, 'a')
  expect([await isMediaHeld(db), await renewMediaHold(db, 'a'), await renewMediaHold(db, 'b')]).toEqual([
    true,
    true,
    false,
  ])
  await expire()
  expect([await isMediaHeld(db), await renewMediaHold(db, 'a')]).toEqual([false, false])
  await takeMediaHold(db, 'c')
  expect(await db.selectFrom('posses').select('replica').execute()).toEqual([{ replica: 'c' }])
})
