import type { Migration } from 'kysely/migration'

/** Adds how well the plate of a passage can be read, and an index for counts of passages. */
export const qualidadeLeitura: Migration = {
  async up(db) {
    await db.schema.alterTable('passagens').addColumn('qualidade_json', 'text').execute()
    await db.schema
      .createIndex('passagens_empresa_situacao')
      .on('passagens')
      .columns(['empresa_id', 'situacao', 'camera_id'])
      .execute()
  },
}
