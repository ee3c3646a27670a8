import type { Migration } from 'kysely/migration'

/** Adds what an edge saw at the recorder of a fetch. */
export const causaGravacao: Migration = {
  async up(db) {
    await db.schema.alterTable('gravacoes').addColumn('causa_json', 'text').execute()
  },
}
