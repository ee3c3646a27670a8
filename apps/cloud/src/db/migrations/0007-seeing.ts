import type { Migration } from 'kysely/migration'

/** Adds the path of the object, and the IAs that lack a model on the edge. */
export const seeing: Migration = {
  async up(db) {
    await db.schema.alterTable('eventos').addColumn('trajeto_json', 'text').execute()
    await db.schema
      .alterTable('cameras')
      .addColumn('ias_indisponiveis_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
}
