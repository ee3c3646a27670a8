import type { Migration } from 'kysely/migration'

/** Adds discarded candidates of edges. No foreign key: domains/eventos/eventos deletes them with their pictures. */
export const descartados: Migration = {
  async up(db) {
    await db.schema
      .createTable('descartados')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('uuid', 'text', (c) => c.notNull().unique())
      .addColumn('empresa_id', 'integer', (c) => c.notNull())
      .addColumn('camera_id', 'integer', (c) => c.notNull())
      .addColumn('tipo', 'text', (c) => c.notNull())
      .addColumn('motivo', 'text', (c) => c.notNull())
      .addColumn('ocorrido_em', 'bigint', (c) => c.notNull())
      .addColumn('recebido_em', 'bigint', (c) => c.notNull())
      .addColumn('omitidos', 'integer', (c) => c.notNull())
      .addColumn('dados_json', 'text', (c) => c.notNull())
      .addColumn('caminho', 'text')
      .execute()
    const index = (name: string, columns: string[]) =>
      db.schema.createIndex(name).on('descartados').columns(columns).execute()
    await index('descartados_camera', ['camera_id', 'ocorrido_em'])
    await index('descartados_chegada', ['camera_id', 'recebido_em'])
  },
}
