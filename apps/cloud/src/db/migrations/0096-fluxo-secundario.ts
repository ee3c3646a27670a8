import type { Migration } from 'kysely/migration'

/** Adds the reported failure of a camera's sub stream, in whose place the edge reads the main stream. */
export const fluxoSecundario: Migration = {
  async up(db) {
    await db.schema.alterTable('cameras').addColumn('relato_secundario_json', 'text').execute()
  },
}
