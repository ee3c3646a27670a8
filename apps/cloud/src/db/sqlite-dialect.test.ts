import SqliteDatabase from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CloudSqliteDialect } from './sqlite-dialect.ts'

interface Tables {
  t: { id: number; nome: string; extra?: string | null }
}

let sqlite: SqliteDatabase.Database
let db: Kysely<Tables>
/** Statements in the order of their preparation. */
let prepared: string[]

beforeEach(() => {
  sqlite = new SqliteDatabase(':memory:')
  sqlite.exec("create table t (id integer primary key, nome text); insert into t values (1, 'a'), (2, 'b')")
  prepared = []
  const prepare = sqlite.prepare.bind(sqlite)
  sqlite.prepare = ((text: string) => {
    prepared.push(text)
    return prepare(text)
  }) as typeof sqlite.prepare
  db = new Kysely<Tables>({ dialect: new CloudSqliteDialect(sqlite) })
})
afterEach(() => db.destroy())

const times = (text: string) => prepared.filter((one) => one.includes(text)).length
const select = (text: string) => sql.raw<{ x: number }>(text).execute(db)

describe('the cache of statements', () => {
  it('prepares a statement once for all its values', async () => {
    const nameOf = (id: number) => db.selectFrom('t').select('nome').where('id', '=', id).executeTakeFirst()
    expect([await nameOf(1), await nameOf(2), await nameOf(3)]).toEqual([{ nome: 'a' }, { nome: 'b' }, undefined])
    expect(prepared).toEqual(['select "nome" from "t" where "id" = ?'])
  })

  it('keeps no long statement', async () => {
    const long = `select 1 as x ${'/* lote */'.repeat(400)}`
    for (let i = 0; i < 3; i += 1) expect((await select(long)).rows).toEqual([{ x: 1 }])
    expect(times('lote')).toBe(3)
  })

  it('drops the statement that was not used for the longest time', async () => {
    for (let i = 0; i < 500; i += 1) await select(`select ${i} as x`)
    await select('select 0 as x')
    await select('select 500 as x')
    prepared = []
    expect((await select('select 0 as x')).rows).toEqual([{ x: 0 }])
    expect((await select('select 2 as x')).rows).toEqual([{ x: 2 }])
    expect(prepared).toEqual([])
    expect((await select('select 1 as x')).rows).toEqual([{ x: 1 }])
    expect(prepared).toEqual(['select 1 as x'])
  })

  it('returns the columns of a table that has changed meanwhile', async () => {
    const first = () => db.selectFrom('t').selectAll().where('id', '=', 1).executeTakeFirst()
    expect(await first()).toEqual({ id: 1, nome: 'a' })
    await sql`alter table t add column extra text`.execute(db)
    expect(await first()).toEqual({ id: 1, nome: 'a', extra: null })
    await sql`drop table t`.execute(db)
    await expect(first()).rejects.toThrow('no such table')
  })

  it('serves a statement inside a transaction and outside of it', async () => {
    const insert = (tx: Kysely<Tables>, id: number) => tx.insertInto('t').values({ id, nome: 'c' }).execute()
    await expect(
      db.transaction().execute(async (tx) => {
        await insert(tx, 3)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await insert(db, 4)
    expect((await db.selectFrom('t').select('id').execute()).map(({ id }) => id)).toEqual([1, 2, 4])
    expect(times('insert into')).toBe(1)
  })
})

it('reports the cause of a failure after which SQLite has already rolled back', async () => {
  const failing = db.transaction().execute(async (tx) => {
    await tx.insertInto('t').values({ id: 5, nome: 'd' }).execute()
    await sql`insert or rollback into t values (1, 'again')`.execute(tx)
  })
  await expect(failing).rejects.toThrow('UNIQUE constraint failed')
  expect(await db.selectFrom('t').select('id').where('id', '=', 5).execute()).toEqual([])
})
