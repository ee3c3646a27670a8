import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/open.ts'
import { isPostgres } from '../../../db/postgres-dialect.ts'
import type { SealedColumn } from '../../../db/sealed-columns.ts'

export interface SealedValue {
  readonly id: number
  /** Id that the purpose of the value names. */
  readonly dono: number
  readonly valor: string
}

/** Untyped access to the columns of sealedColumns in any table. */
interface AnyTable {
  readonly t: { readonly id: number; readonly valor: string }
}
const untyped = (db: Database) => db as unknown as Kysely<AnyTable>

/** One value per prefix `v1.<key id>.`, which shows the keys of the column. */
export const sealedSamples = async (db: Database, { tabela, coluna }: SealedColumn): Promise<string[]> => {
  const { rows } = await sql<{ valor: string }>`
    select min(${sql.ref(coluna)}) as valor from ${sql.table(tabela)} where ${sql.ref(coluna)} <> ''
    group by substr(${sql.ref(coluna)}, 1, 12)`.execute(untyped(db))
  return rows.map(({ valor }) => valor)
}

/** The next values without `prefix`, ordered by id. */
export const valuesSealedOtherwise = async (
  db: Database,
  { tabela, coluna, dono = 'id' }: SealedColumn,
  prefix: string,
  afterId: number,
  limit: number,
): Promise<readonly SealedValue[]> => {
  const { rows } = await sql<SealedValue>`
    select id, ${sql.ref(coluna)} as valor, ${sql.ref(dono)} as dono from ${sql.table(tabela)}
    where id > ${afterId} and ${sql.ref(coluna)} <> '' and substr(${sql.ref(coluna)}, 1, ${prefix.length}) <> ${prefix}
    order by id limit ${limit}`.execute(untyped(db))
  return rows
}

/** Replaces a value that was read. Returns false if another transaction has changed it since. */
export const replaceSealed = async (
  db: Database,
  { tabela, coluna }: SealedColumn,
  { id, valor }: Pick<SealedValue, 'id' | 'valor'>,
  by: string,
): Promise<boolean> => {
  const { rows } = await sql`
    update ${sql.table(tabela)} set ${sql.ref(coluna)} = ${by} where id = ${id} and ${sql.ref(coluna)} = ${valor}
    returning id`.execute(untyped(db))
  return rows.length > 0
}

/**
 * Rewrites the SQLite file and empties its write-ahead log, so that no replaced values remain. Not on PostgreSQL, whose
 * write-ahead log and backups hold earlier values anyway (docs/replicas.md).
 */
export async function rewriteFile(db: Database): Promise<void> {
  if (isPostgres(db)) return
  // The copy of a large database does not fit in memory, where db/open.ts keeps temporary data.
  await sql`pragma temp_store = file`.execute(db)
  await sql`vacuum`.execute(db)
  await sql`pragma temp_store = memory`.execute(db)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}
