import type { Migration } from 'kysely/migration'

/** Adds the switch for the audio of a camera, and what its edge reports of it. */
export const audio: Migration = {
  async up(db) {
    await db.schema
      .alterTable('cameras')
      .addColumn('audio', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('cameras').addColumn('relato_audio', 'text').execute()
  },
}
