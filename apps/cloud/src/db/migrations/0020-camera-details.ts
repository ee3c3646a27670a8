import type { Migration } from 'kysely/migration'

/** Adds the names of zones, and the keyframe interval and bit rate that an edge reports. */
export const cameraDetails: Migration = {
  async up(db) {
    await db.schema
      .alterTable('cameras')
      .addColumn('nomes_zonas_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema.alterTable('cameras').addColumn('quadro_chave_ms', 'integer').execute()
    await db.schema.alterTable('cameras').addColumn('taxa_kbps', 'integer').execute()
  },
}
