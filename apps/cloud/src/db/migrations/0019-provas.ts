import type { Migration } from 'kysely/migration'

/** Adds the records of walk tests. They stay when the camera is removed, and go with their Empresa. */
export const provas: Migration = {
  async up(db) {
    await db.schema
      .createTable('provas')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('camera_id', 'integer', (c) => c.notNull())
      .addColumn('camera_nome', 'text', (c) => c.notNull())
      .addColumn('inicio', 'bigint', (c) => c.notNull())
      .addColumn('fim', 'bigint', (c) => c.notNull())
      .addColumn('aprovada', 'integer', (c) => c.notNull())
      .addColumn('alcance', 'text', (c) => c.notNull())
      .addColumn('nota', 'text')
      .addColumn('feita_por', 'text', (c) => c.notNull())
      .addColumn('rotulos_json', 'text', (c) => c.notNull())
      .addColumn('zonas_json', 'text', (c) => c.notNull())
      .addColumn('tela_ms', 'integer')
      .addColumn('eventos_json', 'text', (c) => c.notNull())
      .addColumn('configuracao_json', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('provas_camera').on('provas').columns(['camera_id', 'id']).execute()
    await db.schema.createIndex('provas_empresa').on('provas').columns(['empresa_id', 'id']).execute()
  },
}
