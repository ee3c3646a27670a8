import type { Migration } from 'kysely/migration'

/** Adds windows beyond the one of the Agenda, and the holidays of an Empresa. */
export const horarios: Migration = {
  async up(db) {
    await db.schema
      .alterTable('cameras')
      .addColumn('horarios_json', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute()
    await db.schema
      .alterTable('empresas')
      .addColumn('feriados_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
}
