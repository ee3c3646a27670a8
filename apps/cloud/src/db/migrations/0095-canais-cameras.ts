import type { Migration } from 'kysely/migration'

/** Adds several cameras of a canal. One camera stays in `camera_id`, and existing canais name no other. */
export const canaisCameras: Migration = {
  async up(db) {
    await db.schema
      .alterTable('canais_notificacao')
      .addColumn('cameras_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
}
