import type { Migration } from 'kysely/migration'

/** The host that issued a session, and logins that are switched off. */
export const sessionsAndLogins: Migration = {
  async up(db) {
    await db.schema.alterTable('sessoes').addColumn('host', 'text').execute()
    await db.schema
      .alterTable('usuarios')
      .addColumn('ativo', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
  },
}
