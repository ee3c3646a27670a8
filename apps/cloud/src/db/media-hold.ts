import { sql } from 'kysely'
import type { Database } from './open.ts'
import { isPostgres } from './postgres-dialect.ts'

/**
 * A backup holds the files of the media store: while its lease runs, no process deletes one (discard-files.ts). Each
 * backup has a row of `posses`, so that its lease ends by itself after a crash and no other backup waits for it.
 */
const PREFIX = 'copia:'
export const HOLD_MS = 60_000

/** Epoch ms, by the clock that all processes of the database share. */
const now = (db: Database) =>
  isPostgres(db) ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint` : sql.lit(Date.now())

/** Whether a backup holds the files. */
export async function isMediaHeld(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('posses')
    .select('nome')
    .where('nome', 'like', `${PREFIX}%`)
    .where('ate', '>', now(db))
    .executeTakeFirst()
  return row !== undefined
}

/** @param holder a name that no other backup has */
export async function takeMediaHold(db: Database, holder: string): Promise<void> {
  await db.deleteFrom('posses').where('nome', 'like', `${PREFIX}%`).where('ate', '<=', now(db)).execute()
  const ate = sql<number>`${now(db)} + ${sql.lit(HOLD_MS)}`
  await db
    .insertInto('posses')
    .values({ nome: PREFIX + holder, replica: holder, ate, epoca: 1 })
    .execute()
}

/** @returns false: the lease had ended, so that files may be missing */
export async function renewMediaHold(db: Database, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('posses')
    .set({ ate: sql<number>`${now(db)} + ${sql.lit(HOLD_MS)}` })
    .where('nome', '=', PREFIX + holder)
    .where('ate', '>', now(db))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const endMediaHold = async (db: Database, holder: string): Promise<void> => {
  await db
    .deleteFrom('posses')
    .where('nome', '=', PREFIX + holder)
    .execute()
}
