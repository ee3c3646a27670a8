import type { Migration } from 'kysely/migration'

/** Adds the transport of a camera's video, and what its edge has learned of the device. */
export const transporte: Migration = {
  async up(db) {
    await db.schema
      .alterTable('cameras')
      .addColumn('transporte', 'text', (c) => c.notNull().defaultTo('automatico'))
      .execute()
    await db.schema.alterTable('cameras').addColumn('relato_leitura', 'text').execute()
    await db.schema.alterTable('cameras').addColumn('relato_periodo_s', 'integer').execute()
    await db.schema.alterTable('cameras').addColumn('relato_conexoes', 'integer').execute()
  },
}
