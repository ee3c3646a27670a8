import type { Migration } from 'kysely/migration'

/** Adds the login at an ONVIF device that accepts only the password itself. */
export const senhaEmTexto: Migration = {
  async up(db) {
    await db.schema
      .alterTable('gravadores')
      .addColumn('senha_em_texto', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
