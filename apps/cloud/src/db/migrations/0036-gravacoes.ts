import type { Migration } from 'kysely/migration'

/** Adds parts of recorders' archives that people asked for. */
export const gravacoes: Migration = {
  async up(db) {
    await db.schema
      .createTable('gravacoes')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('uuid', 'text', (c) => c.notNull().unique())
      .addColumn('empresa_id', 'integer', (c) => c.notNull())
      .addColumn('camera_id', 'integer', (c) => c.notNull())
      .addColumn('camera_nome', 'text', (c) => c.notNull())
      .addColumn('edge_id', 'integer', (c) => c.notNull())
      .addColumn('inicio', 'bigint', (c) => c.notNull())
      .addColumn('fim', 'bigint', (c) => c.notNull())
      .addColumn('estado', 'text', (c) => c.notNull())
      .addColumn('progresso', 'real', (c) => c.notNull())
      .addColumn('falha', 'text')
      .addColumn('clipe_id', 'integer', (c) => c.unique())
      .addColumn('completa', 'integer')
      .addColumn('relogio_json', 'text')
      .addColumn('pedida_por', 'text', (c) => c.notNull())
      .addColumn('vaga_login', 'text', (c) => c.unique())
      .addColumn('vaga_gravador', 'text', (c) => c.unique())
      .addColumn('criada_em', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('gravacoes_empresa').on('gravacoes').column('empresa_id').execute()
  },
}
