import type { Migration } from 'kysely/migration'

/** Adds the private networks that the canais of an Empresa may reach. */
export const redesPermitidas: Migration = {
  async up(db) {
    await db.schema
      .alterTable('empresas')
      .addColumn('redes_permitidas_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
}
