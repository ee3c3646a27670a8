import type { Migration } from 'kysely/migration'

/** Adds corrections of readings by a person, and the fields of a passage that a later event needs. */
export const correcao: Migration = {
  async up(db) {
    await db.schema.alterTable('passagens').addColumn('placa_lida', 'text').execute()
    await db.schema.alterTable('passagens').addColumn('corrigida_por', 'text').execute()
    await db.schema.alterTable('passagens').addColumn('corrigida_em', 'bigint').execute()
    await db.schema.alterTable('passagens').addColumn('registro_json', 'text').execute()
    await db.schema.alterTable('passagens').addColumn('dataset_path', 'text').execute()
  },
}
