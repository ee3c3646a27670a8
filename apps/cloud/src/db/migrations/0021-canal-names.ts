import type { Migration } from 'kysely/migration'

/** Adds the names of canais, and the order of their deliveries. */
export const canalNames: Migration = {
  async up(db) {
    await db.schema
      .alterTable('canais_notificacao')
      .addColumn('nome', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema.createIndex('entregas_por_canal').on('entregas').columns(['canal_id', 'id']).execute()
  },
}
