import { sql } from 'kysely'
import type { Database } from './open.ts'
import { isPostgres } from './postgres-dialect.ts'

/** Current time of the database server in epoch ms; null: SQLite has the clock of this machine. */
export async function databaseClock(db: Database): Promise<number | null> {
  if (!isPostgres(db)) return null
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db)
  return rows[0]?.now ?? null
}

/** Time of the newest event in epoch ms, by the clock of the cloud; null: none. */
export async function newestArrival(db: Database): Promise<number | null> {
  const row = await db.selectFrom('eventos').select('recebido_em').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.recebido_em ?? null
}
