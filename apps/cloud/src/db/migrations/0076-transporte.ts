import type { Migration } from 'kysely/migration'

/** Adds how the video of a camera travels to its edge, and how the edge reported to read it. */
export const transporte: Migration = {
  async up(db) {
    await db.schema
      .alterTable('cameras')
      .addColumn('transporte', 'text', (c) => c.notNull().defaultTo('automatico'))
      .execute()
    await db.schema.alterTable('cameras').addColumn('relato_leitura', 'text').execute()
  },
}
