import type { Migration } from 'kysely/migration'

/** Adds clips, their events, and the tokens with which edges upload. */
export const clipes: Migration = {
  async up(db) {
    await db.schema
      .createTable('clipes')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('uuid', 'text', (c) => c.notNull().unique())
      .addColumn('empresa_id', 'integer', (c) => c.notNull())
      .addColumn('camera_id', 'integer', (c) => c.notNull())
      .addColumn('edge_id', 'integer', (c) => c.notNull())
      .addColumn('inicio', 'bigint', (c) => c.notNull())
      .addColumn('duracao_ms', 'integer', (c) => c.notNull())
      .addColumn('codec', 'text', (c) => c.notNull())
      .addColumn('codecs', 'text', (c) => c.notNull())
      .addColumn('largura', 'integer', (c) => c.notNull())
      .addColumn('altura', 'integer', (c) => c.notNull())
      .addColumn('tamanho', 'integer', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('estado', 'text', (c) => c.notNull())
      .addColumn('motivo', 'text')
      .addColumn('desejado', 'integer', (c) => c.notNull())
      .addColumn('pedido_em', 'bigint')
      .addColumn('guardado_em', 'bigint')
      .addColumn('recebido_em', 'bigint', (c) => c.notNull())
      .addColumn('caminho', 'text', (c) => c.notNull())
      .addColumn('tira', 'text')
      .execute()
    await db.schema
      .createIndex('clipes_ordem')
      .on('clipes')
      .columns(['edge_id', 'empresa_id', 'estado', 'desejado', 'inicio'])
      .execute()
    await db.schema
      .createTable('clipes_eventos')
      .addColumn('evento_id', 'bigint', (c) => c.primaryKey())
      .addColumn('clipe_id', 'integer')
      .addColumn('deslocamento_ms', 'integer', (c) => c.notNull())
      .addColumn('motivo', 'text')
      .execute()
    await db.schema.createIndex('clipes_eventos_clipe').on('clipes_eventos').column('clipe_id').execute()
    await db.schema
      .createTable('credenciais_edge')
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('edge_id', 'integer', (c) => c.notNull())
      .addColumn('finalidade', 'text', (c) => c.notNull())
      .addColumn('alvo', 'text', (c) => c.notNull())
      .addColumn('vence_em', 'bigint', (c) => c.notNull())
      .addColumn('usada_em', 'bigint')
      .execute()
    await db.schema
      .createIndex('credenciais_edge_alvo')
      .on('credenciais_edge')
      .columns(['edge_id', 'finalidade', 'alvo'])
      .execute()
    await db.schema.alterTable('eventos').addColumn('clipe_em', 'bigint').execute()
  },
}
