import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import { CloudSqliteDialect } from '../sqlite-dialect.ts'
import type { Tables } from '../tables.ts'
import { PAGE_ROWS, type Row, type RowSource, type RowTarget, requirePortable } from './rows.ts'
import type { TableSchema } from './schema.ts'

/** Reads a SQLite file in one read transaction, beside a running service. The file does not change. */
export function readSqlite(file: string): RowSource {
  const sqlite = new SqliteDatabase(file, { readonly: true, timeout: 5_000 })
  sqlite.exec('begin')
  // The first read fixes the state that all later ones see.
  sqlite.prepare('select count(*) from sqlite_master').get()
  return sourceOf(sqlite)
}

function sourceOf(sqlite: SqliteDatabase.Database): RowSource {
  return {
    async migrations() {
      return sqlite.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
    },
    async count({ name }) {
      return Number(sqlite.prepare(`select count(*) from "${name}"`).pluck().get())
    },
    async *pages(table, skip) {
      const order = quoted(table.key)
      const text = `select ${quoted(table.columns)} from "${table.name}" order by ${order} limit -1 offset ?`
      let page: Row[] = []
      for (const row of sqlite.prepare<[number], unknown[]>(text).raw().iterate(skip)) {
        page.push(requirePortable(table, row))
        if (page.length < PAGE_ROWS) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    async counter({ name, counter }) {
      if (counter === null) return 0
      const given = sqlite.prepare('select seq from sqlite_sequence where name = ?').pluck().get(name)
      const largest = sqlite.prepare(`select max("${counter}") from "${name}"`).pluck().get()
      return Math.max(Number(given ?? 0), Number(largest ?? 0))
    },
    async close() {
      sqlite.close()
    },
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/**
 * A new SQLite file with the schema of `last`. It is filled under another name, so that the service never opens an
 * unfinished one. An earlier attempt is deleted.
 */
export async function createSqliteTarget(
  file: string,
  tables: readonly TableSchema[],
  last: string,
): Promise<RowTarget> {
  const draft = `${file}.restaurando`
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true })
  const sqlite = new SqliteDatabase(draft)
  try {
    chmodSync(draft, 0o600)
    // A killed restore begins anew, so that only the end needs a sync.
    sqlite.pragma('journal_mode = MEMORY')
    sqlite.pragma('synchronous = OFF')
    await migrate(new Kysely<Tables>({ dialect: new CloudSqliteDialect(sqlite) }), last)
    sqlite.pragma('foreign_keys = ON')
    for (const { name } of tables.filter(({ seeded }) => seeded)) sqlite.exec(`delete from "${name}"`)
  } catch (error) {
    sqlite.close()
    throw error
  }
  return {
    // A killed restore begins anew.
    resumed: false,
    async stored() {
      return 0
    },
    async insert({ name, columns }, rows) {
      const marks = columns.map(() => '?').join(', ')
      const statement = sqlite.prepare(`insert into "${name}" (${quoted(columns)}) values (${marks})`)
      sqlite.transaction(() => {
        for (const row of rows) statement.run(...row)
      })()
    },
    async setCounter({ name }, last) {
      const { changes } = sqlite.prepare('update sqlite_sequence set seq = ? where name = ?').run(last, name)
      if (changes === 0) sqlite.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last)
    },
    async read() {
      return { ...sourceOf(sqlite), close: async () => {} }
    },
    async finish() {
      sqlite.close()
      sync(draft)
      for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
      renameSync(draft, file)
      sync(dirname(file))
    },
    async close() {
      if (sqlite.open) sqlite.close()
    },
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
