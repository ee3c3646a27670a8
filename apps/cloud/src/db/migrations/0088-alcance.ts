import type { Migration } from 'kysely/migration'

/** Adds the reach of what acts. null: as before, by the papel; of an agent, that of its login. */
export const alcance: Migration = {
  async up(db) {
    for (const table of ['usuarios', 'convites', 'quiosques', 'chaves', 'autorizacoes_oauth'])
      await db.schema.alterTable(table).addColumn('alcance', 'text').execute()
  },
}
