import type { Migration } from 'kysely/migration'

/** Adds the declared limit of connections of a gravador. */
export const maxConexoes: Migration = {
  async up(db) {
    await db.schema.alterTable('gravadores').addColumn('max_conexoes', 'integer').execute()
  },
}
