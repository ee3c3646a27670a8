import SqliteDatabase from 'better-sqlite3'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import { CloudSqliteDialect } from '../sqlite-dialect.ts'
import type { Tables } from '../tables.ts'

/** A table that a move or a backup carries. */
export interface TableSchema {
  readonly name: string
  /** Sorted in the order of their names, which is the same in both databases. */
  readonly columns: readonly string[]
  /** Columns of the primary key. */
  readonly key: readonly string[]
  /** Column that the database numbers; null: none. */
  readonly counter: string | null
  /** Whether the migrations insert rows. */
  readonly seeded: boolean
}

/**
 * The tables after the migration `last` (default: all), each after the tables that it refers to. They are the same in
 * both databases, so that the schema is read from an empty SQLite database in memory.
 */
export async function describeTables(last?: string): Promise<readonly TableSchema[]> {
  const sqlite = new SqliteDatabase(':memory:')
  const db = new Kysely<Tables>({ dialect: new CloudSqliteDialect(sqlite) })
  try {
    await migrate(db, last)
    const read = sqlite.prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'
         and name not like 'kysely_%' order by name`,
    )
    return sortByReferences(read.all().map(({ name, sql }) => describe(sqlite, name, sql)))
  } finally {
    await db.destroy()
  }
}

type Described = TableSchema & { readonly references: readonly string[] }

function describe(sqlite: SqliteDatabase.Database, name: string, sql: string): Described {
  const columns = sqlite.pragma(`table_info("${name}")`) as { name: string; pk: number }[]
  const keys = sqlite.pragma(`foreign_key_list("${name}")`) as { table: string }[]
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  return {
    name,
    columns: columns.map((column) => column.name).sort(),
    key: key.map((column) => column.name),
    counter: /autoincrement/i.test(sql) ? (key[0]?.name ?? null) : null,
    seeded: sqlite.prepare(`select 1 from "${name}" limit 1`).get() !== undefined,
    references: keys.map(({ table }) => table).filter((table) => table !== name),
  }
}

function sortByReferences(tables: readonly Described[]): TableSchema[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const sorted: TableSchema[] = []
  while (left.size > 0) {
    const next = [...left.values()].find(({ references }) => !references.some((name) => left.has(name)))
    if (!next) throw new Error(`tables refer to each other: ${[...left.keys()].join(', ')}`)
    left.delete(next.name)
    const { references, ...table } = next
    sorted.push(table)
  }
  return sorted
}
