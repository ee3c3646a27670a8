import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { PageRows, Pages } from './list-page.ts'
import type { Database } from './open.ts'
import { isPostgres } from './postgres-dialect.ts'
import type { Tables } from './tables.ts'

/** Ids of one statement on SQLite: the thread reads at most as many rows without a pause, for about 10 ms. */
export const IDS_OF_PART = 5_000

/** Tables whose lists are in the order of ids. */
type ListedTable = 'passagens' | 'placas' | 'auditoria' | 'lacunas' | 'quedas' | 'entregas' | 'trabalhos'

/** Rows of a list before their order and page. */
type Filtered<T extends ListedTable> = SelectQueryBuilder<Tables, T, object>

/** Ids from `from` to below `below`. */
export interface IdPart {
  readonly from: number
  readonly below: number
}

/** Condition that the `id` of the only table lies in the part. */
export const inPart = ({ from, below }: IdPart) => sql<SqlBool>`id >= ${from} and id < ${below}`

/**
 * Parts of the ids of a table, the newest first. On SQLite the thread serves other requests between their statements
 * (thread-share.ts). PostgreSQL holds no thread, so that one part has all ids.
 */
export async function* idParts(
  db: Database,
  table: ListedTable,
  before: number | null = null,
): AsyncGenerator<IdPart, void, void> {
  const source = sql.table(table)
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(id) from ${source}) as first, (select max(id) from ${source}) as last`.execute(db)
  const [bounds] = rows
  if (bounds === undefined || bounds.first === null || bounds.last === null) return
  const length = isPostgres(db) ? Number.MAX_SAFE_INTEGER : IDS_OF_PART
  for (let below = Math.min(bounds.last + 1, before ?? Number.MAX_SAFE_INTEGER); below > bounds.first; ) {
    const from = Math.max(bounds.first, below - length)
    yield { from, below }
    below = from
  }
}

/** Number of rows of a list. */
export async function countByParts<T extends ListedTable>(
  db: Database,
  table: T,
  filtered: Filtered<T>,
): Promise<number> {
  let total = 0
  for await (const part of idParts(db, table)) {
    const { n } = await filtered
      .where(inPart(part))
      .select(sql<number>`count(*)`.as('n'))
      .$castTo<{ readonly n: number }>()
      .executeTakeFirstOrThrow()
    total += Number(n)
  }
  return total
}

/** Ids of one page of a list, newest first. */
export async function idsByParts<T extends ListedTable>(
  db: Database,
  table: T,
  filtered: Filtered<T>,
  { before, limit, offset }: PageRows,
): Promise<number[]> {
  const ids: number[] = []
  for await (const part of idParts(db, table, before)) {
    const rows = await filtered
      .where(inPart(part))
      .select(sql<number>`id`.as('id'))
      .orderBy(sql`id`, 'desc')
      .limit(offset + limit - ids.length)
      .$castTo<{ readonly id: number }>()
      .execute()
    ids.push(...rows.map(({ id }) => id))
    if (ids.length === offset + limit) break
  }
  return ids.slice(offset)
}

/** Rows of one page of a list, newest first. */
export async function listByParts<T extends ListedTable>(
  db: Database,
  table: T,
  filtered: Filtered<T>,
  page: PageRows,
): Promise<Selectable<Tables[T]>[]> {
  const ids = await idsByParts(db, table, filtered, page)
  if (ids.length === 0) return []
  const { rows } = await sql<Selectable<Tables[T]>>`
    select * from ${sql.table(table)} where id in (${sql.join(ids)}) order by id desc`.execute(db)
  return rows
}

/** The pages of a list of a large table. */
export const pagesByParts = <T extends ListedTable>(
  db: Database,
  table: T,
  filtered: Filtered<T>,
): Pages<Selectable<Tables[T]>> => ({
  read: (page) => listByParts(db, table, filtered, page),
  count: () => countByParts(db, table, filtered),
})
