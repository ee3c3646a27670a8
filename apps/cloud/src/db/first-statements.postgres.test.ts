import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTempDatabase, type TempDatabase } from '../test/records/queue-records.ts'
import { lockName } from './locks.ts'
import { readSnapshot, transact } from './transaction.ts'

let opened: TempDatabase
beforeAll(async () => {
  opened = await openTempDatabase()
})
afterAll(() => opened.close())

const read = (db: TempDatabase['db']) => db.selectFrom('cameras').select('id').execute()

it('refuses a transaction that reads before it writes or locks', async () => {
  await expect(transact(opened.db, read)).rejects.toThrow('neither writes nor locks')
})

it('accepts a lock before the first read, and a snapshot', async () => {
  const locked = transact(opened.db, async (tx) => {
    await lockName(tx, 'partida')
    return read(tx)
  })
  expect(await locked).toEqual([])
  expect(await readSnapshot(opened.db, read)).toEqual([])
})
