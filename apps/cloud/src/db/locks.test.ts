import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { seedCamera } from '../test/records/records.ts'
import { lockLineage } from './lineage.ts'
import { lockRow } from './locks.ts'
import { type Database, openDatabase } from './open.ts'
import { transact } from './transaction.ts'

let db: Database
beforeEach(async () => {
  db = await openDatabase(join(temporaryFolder('vigia-locks-'), 'cloud.db'))
})
afterEach(() => db.destroy())

/** Rows that were written over the connection of SQLite since it is open. */
const written = async (tx: Database): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select total_changes() as total`.execute(tx)
  return rows[0]?.total ?? Number.NaN
}

it('writes no row for a lock in SQLite: each table that refers to the row would be searched', async () => {
  const { empresaId, edgeId, cameraId } = await seedCamera(db)
  await transact(db, async (tx) => {
    const before = await written(tx)
    expect(await lockRow(tx, 'empresas', empresaId)).toBe(true)
    expect(await lockRow(tx, 'edges', edgeId)).toBe(true)
    expect(await lockRow(tx, 'cameras', cameraId)).toBe(true)
    expect((await lockLineage(tx, empresaId))?.empresa.id).toBe(empresaId)
    expect(await written(tx)).toBe(before)
  })
})

it('answers for a row that does not exist', async () => {
  await transact(db, async (tx) => {
    expect(await lockRow(tx, 'cameras', 9)).toBe(false)
    expect(await lockLineage(tx, 9)).toBeUndefined()
  })
})
