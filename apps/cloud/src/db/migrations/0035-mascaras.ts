import type { Migration } from 'kysely/migration'

/** Adds the privacy masks of a camera, and whether its edge applies them. */
export const mascaras: Migration = {
  async up(db) {
    await db.schema
      .alterTable('cameras')
      .addColumn('mascaras_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema.alterTable('cameras').addColumn('relato_mascarada', 'integer').execute()
  },
}
