import type { Migration } from 'kysely/migration'

/** Adds the trace that a work item continues. */
export const traceparent: Migration = {
  async up(db) {
    // W3C Trace Context; null: none.
    await db.schema.alterTable('trabalhos').addColumn('traceparent', 'text').execute()
  },
}
