import type { Migration } from 'kysely/migration'

/** Adds who sees plates: the rule of an Empresa for its vigilantes, and whether the messages of a canal carry them. */
export const esconderPlacas: Migration = {
  async up(db) {
    await db.schema
      .alterTable('empresas')
      .addColumn('esconder_placas_vigilante', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('canais_notificacao')
      .addColumn('placas', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.updateTable('canais_notificacao').set({ placas: 1 }).where('tipo', 'in', ['webhook', 'mqtt']).execute()
  },
}
