import type { Migration } from 'kysely/migration'

/** Adds the size of each camera in a desired state, and the mark of a state above the packet limit. */
export const desiredSize: Migration = {
  async up(db) {
    await db.schema.alterTable('cameras').addColumn('desejado_bytes', 'integer').execute()
    await db.schema.alterTable('edges').addColumn('desejado_grande_bytes', 'integer').execute()
  },
}
