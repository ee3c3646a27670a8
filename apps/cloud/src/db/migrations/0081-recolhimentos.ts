import type { Migration } from 'kysely/migration'

/**
 * Adds what is to be taken back at brokers of customers. No foreign key: canal, cameras and Empresa may be gone before
 * the broker answers.
 */
export const recolhimentos: Migration = {
  async up(db) {
    await db.schema
      .createTable('recolhimentos')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull())
      .addColumn('canal_id', 'integer', (c) => c.notNull())
      .addColumn('destino', 'text', (c) => c.notNull())
      .addColumn('segredo_cifrado', 'text')
      .addColumn('redes_json', 'text', (c) => c.notNull())
      .addColumn('cameras_json', 'text', (c) => c.notNull())
      .addColumn('criado_em', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('recolhimentos_empresa').on('recolhimentos').columns(['empresa_id', 'id']).execute()
  },
}
