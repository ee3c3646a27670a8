import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { runWriters } from '../../../src/adapters/media-store/run-writers.ts'

/** Records per second. */
export type Rate = number
type Row = Record<string, unknown>

/** Opened like the database of the cloud, without foreign keys: the peer checks nothing. */
function openPlain(file: string): SqliteDatabase.Database {
  const db = new SqliteDatabase(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = OFF')
  return db
}

const tablesOf = (db: SqliteDatabase.Database): string[] =>
  db
    .prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'kysely%'",
    )
    .pluck()
    .all()

const countOf = (db: SqliteDatabase.Database, table: string): number =>
  Number(db.prepare(`select count(*) from ${table}`).pluck().get())

/** Rows of each table before the ingest. */
export function seedCounts(file: string): ReadonlyMap<string, number> {
  const db = new SqliteDatabase(file, { readonly: true })
  try {
    return new Map(tablesOf(db).map((table) => [table, countOf(db, table)]))
  } finally {
    db.close()
  }
}

function createSchema(source: SqliteDatabase.Database, target: SqliteDatabase.Database, of: readonly string[]): void {
  const statements = source
    .prepare<[], { readonly tbl_name: string; readonly sql: string }>(
      "select tbl_name, sql from sqlite_schema where sql is not null and type in ('table', 'index') order by type desc",
    )
    .all()
  for (const { tbl_name, sql } of statements) if (of.includes(tbl_name)) target.exec(sql)
}

const insertInto = (db: SqliteDatabase.Database, table: string, row: Row) => {
  const columns = Object.keys(row)
  return db.prepare(`insert into ${table} (${columns}) values (${columns.map((name) => `:${name}`)})`)
}

/** The part of `rows` that belongs to batch `i`. */
const partOf = <Item>(rows: readonly Item[], i: number, batches: number): Item[] =>
  rows.slice(Math.floor((rows.length * i) / batches), Math.floor((rows.length * (i + 1)) / batches))

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}

interface Picture {
  readonly path: string
  readonly bytes: Buffer
}

/** Writes pictures with the syncs and the concurrency of the media store. */
async function writePictures(dir: string, pictures: readonly Picture[]): Promise<void> {
  const folders = new Set(pictures.map(({ path }) => dirname(join(dir, path))))
  for (const folder of folders) await mkdir(folder, { recursive: true })
  const unfinished = join(dir, '.unfinished')
  await mkdir(unfinished, { recursive: true })
  await runWriters(pictures, async ({ path, bytes }) => {
    const temporary = join(unfinished, path.replaceAll('/', '-'))
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(bytes)
    await file.sync()
    await file.close()
    await rename(temporary, join(dir, path))
  })
  for (const folder of folders)
    for (let at = folder; at.length >= dirname(dir).length; at = dirname(at)) await syncFolder(at)
}

interface Copied {
  /** Folder of the ingest, with `vigia.db` and `media`. */
  readonly dir: string
  readonly before: ReadonlyMap<string, number>
  readonly batches: number
  readonly records: number
  readonly atOnce: number
}

/**
 * Writes the rows that the ingest has left, of every table and with its indexes, and the pictures. Each batch syncs its
 * pictures and then commits its rows. Rows that the ingest wrote several times (counts, incidentes) are written once.
 */
export async function rateOfCopy({ dir, before, batches, records, atOnce }: Copied): Promise<Rate> {
  const source = new SqliteDatabase(join(dir, 'vigia.db'), { readonly: true })
  const folder = join(dir, 'copia')
  await mkdir(folder)
  const target = openPlain(join(folder, 'vigia.db'))
  try {
    const tables = tablesOf(source).filter((table) => countOf(source, table) > (before.get(table) ?? 0))
    createSchema(source, target, tables)
    const written = tables.map((table) => {
      const rows = source.prepare<[], Row>(`select * from ${table}`).all()
      return { rows, insert: insertInto(target, table, rows[0] ?? {}) }
    })
    const paths = source
      .prepare<[], string>(
        `select path from (select id, crop_path path from eventos union all select id, quadro_path from eventos)
         order by id`,
      )
      .pluck()
      .all()
    const pictures = await Promise.all(
      paths.map(async (path) => ({ path, bytes: await readFile(join(dir, 'media', path)) })),
    )
    const commit = target.transaction((i: number) => {
      for (const { rows, insert } of written) for (const row of partOf(rows, i, batches)) insert.run(row)
    })
    const left = Array.from({ length: batches }, (_, i) => i)
    const begun = performance.now()
    const lane = async () => {
      for (let i = left.shift(); i !== undefined; i = left.shift()) {
        await writePictures(join(folder, 'media'), partOf(pictures, i, batches))
        commit(i)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
    return (records * 1000) / (performance.now() - begun)
  } finally {
    target.close()
    source.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes only the rows of `eventos`, with their indexes, in the same commits. */
export function rateOfRows({ dir, batches }: Pick<Copied, 'dir' | 'batches'>): Rate {
  const source = new SqliteDatabase(join(dir, 'vigia.db'), { readonly: true })
  const target = openPlain(join(dir, 'linhas.db'))
  try {
    createSchema(source, target, ['eventos'])
    const rows = source.prepare<[], Row>('select * from eventos order by id').all()
    const insert = insertInto(target, 'eventos', rows[0] ?? {})
    const commit = target.transaction((some: readonly Row[]) => {
      for (const row of some) insert.run(row)
    })
    const begun = performance.now()
    for (let i = 0; i < batches; i += 1) commit(partOf(rows, i, batches))
    return (rows.length * 1000) / (performance.now() - begun)
  } finally {
    target.close()
    source.close()
  }
}
