import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../postgres-dialect.ts'

/**
 * Adds the counters of the rate limits on PostgreSQL, in the form that rate-limiter-flexible requires. With SQLite they
 * have a file of their own (adapters/rate-limits/sqlite-store.ts).
 */
export const limitesDeUso: Migration = {
  async up(db) {
    if (!isPostgres(db)) return
    // Unlogged: a crash of the server may lose the counts, as with SQLite.
    await sql`create unlogged table limites_de_uso (key varchar(255) primary key, points integer not null default 0,
      expire bigint)`.execute(db)
    await sql`create index limites_de_uso_expire on limites_de_uso (expire)`.execute(db)
  },
}
