import type { Migration } from 'kysely/migration'

/** What the IAs say beside the picture: the way of the object, and which of them lack a model on the box. */
export const seeing: Migration = {
  async up(db) {
    await db.schema.alterTable('eventos').addColumn('trajeto_json', 'text').execute()
    await db.schema
      .alterTable('cameras')
      .addColumn('ias_indisponiveis_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
}
