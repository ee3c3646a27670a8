import { type SelectQueryBuilder, sql } from 'kysely'

/** Rows of one page, as in http/page-cursor.ts. */
export interface PageRows {
  /** Only rows with a lower id; null: starts with the newest. */
  readonly before: number | null
  readonly limit: number
  readonly offset: number
}

/** A filtered list, newest first. */
export interface Pages<Row> {
  read(page: PageRows): Promise<readonly Row[]>
  count(): Promise<number>
}

/** @param id column of the order */
export const newestFirst = <DB, T extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, T, Row>,
  { before, limit, offset }: PageRows,
  id = 'id',
) =>
  (before === null ? query : query.where(sql.ref<number>(id), '<', before))
    .orderBy(sql.ref(id), 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** Number of rows of a query. */
export async function countOf<DB, T extends keyof DB, Row>(query: SelectQueryBuilder<DB, T, Row>): Promise<number> {
  const { n } = await query
    .clearSelect()
    .select(sql<number>`count(*)`.as('n'))
    .$castTo<{ readonly n: number }>()
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The pages of a query. A list of a large table is read in parts (id-parts.ts). */
export const pagesOf = <DB, T extends keyof DB, Row>(query: SelectQueryBuilder<DB, T, Row>, id = 'id') => ({
  read: (page: PageRows) => newestFirst(query, page, id),
  count: () => countOf(query),
})
