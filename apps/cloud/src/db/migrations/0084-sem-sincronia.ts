import type { Migration } from 'kysely/migration'

/** Adds whether an ONVIF device has refused a request for a keyframe. */
export const semSincronia: Migration = {
  async up(db) {
    await db.schema
      .alterTable('gravadores')
      .addColumn('sem_sincronia', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
