import type { Migration } from 'kysely/migration'

/** Adds the effects that a person ticked for an agent. Existing authorizations have none. */
export const efeitos: Migration = {
  async up(db) {
    await db.schema
      .alterTable('autorizacoes_oauth')
      .addColumn('efeitos_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
}
