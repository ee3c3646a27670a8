import type { Database } from '../../db/open.ts'

/** Tables of the lists by pages, with the column whose values must differ. */
const distinct = {
  cameras: 'nome',
  edges: 'codigo_hash',
  usuarios: 'username_chave',
} as const

/** Inserts `count` copies of the newest row of a table. */
export async function copyNewestRow(db: Database, table: keyof typeof distinct, count: number): Promise<void> {
  const { id, ...row } = await db.selectFrom(table).selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  for (let copy = 0; copy < count; copy += 1)
    await db
      .insertInto(table)
      .values({ ...row, [distinct[table]]: `cópia ${id} ${copy}` } as never)
      .execute()
}
