import type { Migration } from 'kysely/migration'

/** Adds the bytes that a record counts in the database, so that its deletion gives back what its storage took. */
export const linhaBytes: Migration = {
  async up(db) {
    for (const table of ['eventos', 'passagens'])
      await db.schema
        .alterTable(table)
        .addColumn('linha_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
        .execute()
  },
}
