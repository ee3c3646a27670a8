import type { Migration } from 'kysely/migration'

/** Adds the times that a clock set back has stamped. */
export const carimbosDuvidosos: Migration = {
  async up(db) {
    await db.schema
      .createTable('carimbos_duvidosos')
      .addColumn('de', 'bigint', (c) => c.notNull().primaryKey())
      .addColumn('ate', 'bigint', (c) => c.notNull())
      // Time of ages at the last of these stamps.
      .addColumn('hora', 'bigint', (c) => c.notNull())
      .execute()
  },
}
