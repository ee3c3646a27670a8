import type { Migration } from 'kysely/migration'

/** Adds the host of a session and disabled logins. */
export const sessionsAndLogins: Migration = {
  async up(db) {
    await db.schema.alterTable('sessoes').addColumn('host', 'text').execute()
    await db.schema
      .alterTable('usuarios')
      .addColumn('ativo', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
  },
}
