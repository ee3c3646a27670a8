import type { Migration } from 'kysely/migration'

/** Adds deletions by period, and the copies of deleted clips that edges must discard. */
export const apagamentos: Migration = {
  async up(db) {
    await db.schema
      .createTable('apagamentos')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('cameras_json', 'text')
      .addColumn('inicio', 'bigint', (c) => c.notNull())
      .addColumn('fim', 'bigint', (c) => c.notNull())
      .addColumn('motivo', 'text', (c) => c.notNull())
      .addColumn('pedido_por', 'text', (c) => c.notNull())
      .addColumn('pedido_em', 'bigint', (c) => c.notNull())
      .addColumn('concluido_em', 'bigint')
      .addColumn('vaga', 'integer', (c) => c.unique())
      .addColumn('total', 'integer', (c) => c.notNull())
      .addColumn('eventos', 'integer', (c) => c.notNull())
      .addColumn('gravacoes', 'integer', (c) => c.notNull())
      .addColumn('descartados', 'integer', (c) => c.notNull())
      .addColumn('preservados', 'integer', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('apagamentos_empresa').on('apagamentos').column('empresa_id').execute()
    await db.schema
      .createTable('clipes_a_descartar')
      .addColumn('uuid', 'text', (c) => c.primaryKey())
      .addColumn('edge_id', 'integer', (c) => c.notNull())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('desde', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('clipes_a_descartar_edge')
      .on('clipes_a_descartar')
      .columns(['edge_id', 'empresa_id'])
      .execute()
  },
}
