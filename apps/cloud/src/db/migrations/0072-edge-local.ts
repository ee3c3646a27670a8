import type { Migration } from 'kysely/migration'

/**
 * Adds whether the local edge of the installation serves an Empresa: yes for existing ones, whose cameras it may read.
 */
export const edgeLocal: Migration = {
  async up(db) {
    await db.schema
      .alterTable('empresas')
      .addColumn('usa_edge_local', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
  },
}
