import type { Migration } from 'kysely/migration'

/** Adds who takes care of an incidente, before the answer. */
export const assumido: Migration = {
  async up(db) {
    await db.schema.alterTable('incidentes').addColumn('assumido_por', 'text').execute()
    await db.schema.alterTable('incidentes').addColumn('assumido_em', 'bigint').execute()
  },
}
