import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { SealedColumn } from '../../db/sealed-columns.ts'

export interface SealedValue {
  readonly id: number
  readonly valor: string
}

/** Only the names of sealedColumns come in here, so any table's rows are read and written alike. */
interface AnyTable {
  readonly t: { readonly id: number; readonly valor: string }
}
const untyped = (db: Database) => db as unknown as Kysely<AnyTable>

/** One value of each beginning `v1.<key id>.`: which keys the column was sealed with. */
export const sealedSamples = async (db: Database, { tabela, coluna }: SealedColumn): Promise<string[]> => {
  const { rows } = await sql<{ valor: string }>`
    select min(${sql.ref(coluna)}) as valor from ${sql.table(tabela)} where ${sql.ref(coluna)} <> ''
    group by substr(${sql.ref(coluna)}, 1, 12)`.execute(untyped(db))
  return rows.map(({ valor }) => valor)
}

/** The next values, by id, that do not begin with `prefix`. */
export const valuesSealedOtherwise = async (
  db: Database,
  { tabela, coluna }: SealedColumn,
  prefix: string,
  afterId: number,
  limit: number,
): Promise<readonly SealedValue[]> => {
  const { rows } = await sql<SealedValue>`
    select id, ${sql.ref(coluna)} as valor from ${sql.table(tabela)}
    where id > ${afterId} and ${sql.ref(coluna)} <> '' and substr(${sql.ref(coluna)}, 1, ${prefix.length}) <> ${prefix}
    order by id limit ${limit}`.execute(untyped(db))
  return rows
}

export const replaceSealed = async (
  db: Database,
  { tabela, coluna }: SealedColumn,
  { id, valor }: SealedValue,
): Promise<void> => {
  await sql`update ${sql.table(tabela)} set ${sql.ref(coluna)} = ${valor} where id = ${id}`.execute(untyped(db))
}

/** Writes the database file anew and empties its log: nothing that was replaced is left in them. */
export async function rewriteFile(db: Database): Promise<void> {
  // In memory (db/open.ts) the copy of a large database would not fit.
  await sql`pragma temp_store = file`.execute(db)
  await sql`vacuum`.execute(db)
  await sql`pragma temp_store = memory`.execute(db)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}
