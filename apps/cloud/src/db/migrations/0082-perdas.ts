import type { Migration } from 'kysely/migration'

/** Adds the packets that an edge misses of a camera over UDP. */
export const perdas: Migration = {
  async up(db) {
    await db.schema.alterTable('cameras').addColumn('relato_perdas_json', 'text').execute()
  },
}
