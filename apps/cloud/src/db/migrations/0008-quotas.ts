import type { Migration } from 'kysely/migration'

const kinds = ['gravadores', 'edges', 'usuarios', 'canais', 'agentes', 'chaves']

/** Limits of an Empresa beside that of cameras. Nothing that exists is removed where it exceeds one. */
export const quotas: Migration = {
  async up(db) {
    for (const kind of kinds)
      await db.schema
        .alterTable('empresas')
        .addColumn(`limite_${kind}`, 'integer', (c) => c.notNull().defaultTo(1000))
        .execute()
  },
}
