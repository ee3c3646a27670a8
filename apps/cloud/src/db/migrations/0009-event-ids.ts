import { type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds a counter of event ids, accounts for reserved ids, and merged gaps of a camera. Ids of events, alerts, audit
 * records and deliveries need 64 bits; SQLite's INTEGER has 64.
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
    // The removed index served the sum of an edge's reserved ids, which the accounts now hold.
    await db.schema.dropIndex('lacunas_reservadas').execute()
  },
}

/** The highest id ever given or reserved, including removed events. */
async function lastId(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number | null }>`
    select max(id) as n from eventos
    union all select max(id_reservado + ate_seq - de_seq) from lacunas where id_reservado is not null`.execute(db)
  const counted = db.getExecutor().adapter instanceof SqliteAdapter ? await autoincremented(db) : []
  return [...rows, ...counted].reduce((highest, { n }) => Math.max(highest, Number(n ?? 0)), 0)
}

/** Before, AUTOINCREMENT's table held the counter, including reserved ids. */
async function autoincremented(db: Kysely<unknown>) {
  const { rows } = await sql<{ n: number }>`select seq as n from sqlite_sequence where name = 'eventos'`.execute(db)
  return rows
}
