import type { Migration } from 'kysely/migration'

const kinds = ['gravadores', 'edges', 'usuarios', 'canais', 'agentes', 'chaves']

/** Adds limits of an Empresa besides cameras. Existing rows above a limit stay. */
export const quotas: Migration = {
  async up(db) {
    for (const kind of kinds)
      await db.schema
        .alterTable('empresas')
        .addColumn(`limite_${kind}`, 'integer', (c) => c.notNull().defaultTo(1000))
        .execute()
  },
}
