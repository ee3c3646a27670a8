import type { Migration } from 'kysely/migration'

/** How large the desired state of an edge is: the share of each camera, and the mark of a state that no packet holds. */
export const desiredSize: Migration = {
  async up(db) {
    await db.schema.alterTable('cameras').addColumn('desejado_bytes', 'integer').execute()
    await db.schema.alterTable('edges').addColumn('desejado_grande_bytes', 'integer').execute()
  },
}
