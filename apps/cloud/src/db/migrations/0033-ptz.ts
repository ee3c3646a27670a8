import type { Migration } from 'kysely/migration'

/** Adds who moves a PTZ camera, and whether it is away from its home position. */
export const ptz: Migration = {
  async up(db) {
    await db.schema
      .createTable('ptz')
      .addColumn('camera_id', 'integer', (c) => c.primaryKey().references('cameras.id').onDelete('cascade'))
      .addColumn('quem', 'text', (c) => c.notNull())
      .addColumn('por', 'text', (c) => c.notNull())
      .addColumn('vence_em', 'bigint', (c) => c.notNull())
      .addColumn('fora', 'integer', (c) => c.notNull())
      .execute()
  },
}
