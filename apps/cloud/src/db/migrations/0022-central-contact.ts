import type { Migration } from 'kysely/migration'

/** Adds the time at which the cloud last ran, in one row. */
export const centralContact: Migration = {
  async up(db) {
    await db.schema
      .createTable('contato_central')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('visto_em', 'bigint', (c) => c.notNull())
      .execute()
  },
}
