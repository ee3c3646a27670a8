import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the times of walk tests, and marks the events and incidentes that one caused. */
export const eventosDeProva: Migration = {
  async up(db) {
    await db.schema
      .createTable('janelas_prova')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('camera_id', 'integer', (c) => c.notNull().references('cameras.id').onDelete('cascade'))
      .addColumn('inicio', 'bigint', (c) => c.notNull())
      .addColumn('fim', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('janelas_prova_camera').on('janelas_prova').columns(['camera_id', 'id']).execute()
    for (const table of ['eventos', 'incidentes'])
      await db.schema
        .alterTable(table)
        .addColumn('prova', 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    // Same text as in the queries: a partial index serves only its exact condition.
    await sql`create index eventos_prova on eventos (ocorrido_em, id) where prova = 1`.execute(db)
  },
}
