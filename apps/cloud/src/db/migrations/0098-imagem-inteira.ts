import type { Migration } from 'kysely/migration'

/** Adds that a person chose to watch the whole picture of a camera, without a zone. */
export const imagemInteira: Migration = {
  async up(db) {
    await db.schema
      .alterTable('cameras')
      .addColumn('imagem_inteira', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
