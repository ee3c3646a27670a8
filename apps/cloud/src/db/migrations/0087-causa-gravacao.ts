import type { Migration } from 'kysely/migration'

/** Adds what an edge saw at the recorder of a fetch, and how uncertain the time of its own recording is. */
export const causaGravacao: Migration = {
  async up(db) {
    await db.schema.alterTable('gravacoes').addColumn('causa_json', 'text').execute()
    await db.schema.alterTable('gravacoes').addColumn('incerta_ms', 'bigint').execute()
  },
}
