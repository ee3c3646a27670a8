import type { Migration } from 'kysely/migration'

/** Adds what a canal sends after the first message of an incidente. Existing canais keep their interval. */
export const canaisFim: Migration = {
  async up(db) {
    await db.schema
      .alterTable('canais_notificacao')
      .addColumn('continuacao', 'text', (c) => c.notNull().defaultTo('intervalo'))
      .execute()
  },
}
