import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { CloudSqliteDialect } from './sqlite-dialect.ts'

/** About 2 ms of SQLite. */
const BUSY = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) select count(*) from n`

it('lets the event loop turn between the statements of one request', async () => {
  const db = new Kysely<object>({ dialect: new CloudSqliteDialect(new SqliteDatabase(':memory:')) })
  let turns = 0
  let running = true
  const count = () => {
    turns += 1
    if (running) setImmediate(count)
  }
  await BUSY.execute(db)
  setImmediate(count)
  for (let statement = 0; statement < 100; statement += 1) await BUSY.execute(db)
  running = false
  await db.destroy()
  // 100 statements take far longer than ten shares.
  expect(turns).toBeGreaterThan(5)
})

it('begins a transaction with the write lock, and a snapshot without it', async () => {
  const begun: string[] = []
  const sqlite = new SqliteDatabase(':memory:', { verbose: (text) => begun.push(String(text)) })
  const db = new Kysely<object>({ dialect: new CloudSqliteDialect(sqlite) })
  await db.transaction().execute((tx) => BUSY.execute(tx))
  await db
    .transaction()
    .setAccessMode('read only')
    .execute((tx) => BUSY.execute(tx))
  await db.destroy()
  expect(begun.filter((text) => text.startsWith('begin'))).toEqual(['begin immediate', 'begin'])
})

it('waits for the write lock of another connection without the thread', async () => {
  const folder = temporaryFolder('vigia-busy-')
  const file = join(folder, 'a.db')
  const other = new SqliteDatabase(file)
  other.exec('pragma journal_mode = WAL; create table t (a integer)')
  const db = new Kysely<{ t: { a: number } }>({
    dialect: new CloudSqliteDialect(new SqliteDatabase(file, { timeout: 0 })),
  })
  try {
    other.exec('begin immediate; insert into t values (1)')
    const written = db.transaction().execute(async (tx) => {
      const { n } = await tx
        .selectFrom('t')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      await tx.insertInto('t').values({ a: n }).execute()
      return n
    })
    // Only possible while this thread does not wait inside SQLite.
    setImmediate(() => other.exec('commit'))
    expect(await written).toBe(1)
    const { n } = await db
      .selectFrom('t')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(n).toBe(2)
  } finally {
    await db.destroy()
    other.close()
    await rm(folder, { recursive: true, force: true })
  }
})
