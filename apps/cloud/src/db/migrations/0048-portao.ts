import type { Migration } from 'kysely/migration'

/** Adds the time at which a passage opened the gate. */
export const portao: Migration = {
  async up(db) {
    await db.schema.alterTable('passagens').addColumn('portao_em', 'bigint').execute()
  },
}
