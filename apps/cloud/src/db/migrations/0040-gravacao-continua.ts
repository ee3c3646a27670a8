import type { Migration } from 'kysely/migration'

/** Adds continuous recording on edges: switch, deleted parts and last report of a camera, disk budget of an edge. */
export const gravacaoContinua: Migration = {
  async up(db) {
    await db.schema
      .alterTable('cameras')
      .addColumn('gravacao_continua', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('cameras').addColumn('relato_gravacao_json', 'text').execute()
    await db.schema
      .alterTable('cameras')
      .addColumn('gravacao_apagada_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema.alterTable('edges').addColumn('gravacao_continua_mb', 'integer').execute()
    await db.schema.alterTable('gravacoes').addColumn('fonte', 'text').execute()
  },
}
