import type { Migration } from 'kysely/migration'

/** Adds invitations, and the mark of an Empresa whose removal is under way. */
export const invitations: Migration = {
  async up(db) {
    await db.schema
      .createTable('convites')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('papel', 'text', (c) => c.notNull())
      .addColumn('para', 'text')
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('criado_por_id', 'integer', (c) => c.notNull().references('usuarios.id').onDelete('cascade'))
      .addColumn('criado_por', 'text', (c) => c.notNull())
      .addColumn('criado_em', 'bigint', (c) => c.notNull())
      .addColumn('expira_em', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('convites_empresa').on('convites').column('empresa_id').execute()
    await db.schema.createIndex('convites_criado_por').on('convites').column('criado_por_id').execute()
    await db.schema.alterTable('empresas').addColumn('removida_em', 'bigint').execute()
  },
}
