import { type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Event ids come from a counter of their own, reservations of ids are charged to accounts, and gaps of one camera are merged.
 * Ids of events, alert lines, audit records and deliveries need 64-bit columns; an INTEGER column of SQLite is one.
 */
export const eventIds: Migration = {
  async up(db) {
    await db.schema
      .createTable('contador_eventos')
      .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
      .addColumn('ultimo', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into contador_eventos (id, ultimo) values (1, ${await lastId(db)})`.execute(db)

    await db.schema
      .createTable('reservas_de_ids')
      .addColumn('dono', 'text', (c) => c.notNull().check(sql`dono in ('edge', 'empresa')`))
      .addColumn('dono_id', 'integer', (c) => c.notNull())
      .addColumn('livre_em', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('reservas_de_ids_pk', ['dono', 'dono_id'])
      .execute()

    await db.schema.alterTable('lacunas').addColumn('faltam', 'bigint').execute()
    // It served the sum of the reserved ids of one edge, which the accounts hold now.
    await db.schema.dropIndex('lacunas_reservadas').execute()
  },
}

/** The highest id that was ever given or reserved, of events that are gone too. */
async function lastId(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number | null }>`
    select max(id) as n from eventos
    union all select max(id_reservado + ate_seq - de_seq) from lacunas where id_reservado is not null`.execute(db)
  const counted = db.getExecutor().adapter instanceof SqliteAdapter ? await autoincremented(db) : []
  return [...rows, ...counted].reduce((highest, { n }) => Math.max(highest, Number(n ?? 0)), 0)
}

/** Until now AUTOINCREMENT's own table held the counter, reserved ids included. */
async function autoincremented(db: Kysely<unknown>) {
  const { rows } = await sql<{ n: number }>`select seq as n from sqlite_sequence where name = 'eventos'`.execute(db)
  return rows
}
