import type { Migration } from 'kysely/migration'

/** Adds gravadores, notification canais and the host name of an Empresa. */
export const gravadorTables: Migration = {
  async up(db) {
    await db.schema.alterTable('empresas').addColumn('host', 'text').execute()
    await db.schema.createIndex('empresas_host').on('empresas').column('host').unique().execute()

    await db.schema
      .createTable('gravadores')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id'))
      .addColumn('edge_id', 'integer', (c) => c.references('edges.id').onDelete('set null'))
      .addColumn('nome', 'text', (c) => c.notNull())
      .addColumn('fabricante', 'text', (c) => c.notNull())
      .addColumn('url_template', 'text')
      .addColumn('sub_url_template', 'text')
      .addColumn('host', 'text', (c) => c.notNull())
      .addColumn('porta', 'integer', (c) => c.notNull())
      .addColumn('usuario', 'text', (c) => c.notNull())
      .addColumn('senha_cifrada', 'text', (c) => c.notNull())
      .addColumn('num_canais', 'integer', (c) => c.notNull())
      .addColumn('criado_em', 'bigint', (c) => c.notNull())
      .addColumn('atualizado_em', 'bigint', (c) => c.notNull())
      .execute()
    // `cadastrar` reuses the gravador of the same Empresa, host and port, so that at most one exists.
    await db.schema
      .createIndex('gravadores_endereco')
      .on('gravadores')
      .columns(['empresa_id', 'host', 'porta'])
      .unique()
      .execute()
    // A canal of a gravador has at most one camera. NULLs do not collide, so that cameras without a gravador are not
    // affected.
    await db.schema
      .createIndex('cameras_gravador_canal')
      .on('cameras')
      .columns(['gravador_id', 'canal'])
      .unique()
      .execute()

    await db.schema
      .createTable('canais_notificacao')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id'))
      .addColumn('tipo', 'text', (c) => c.notNull())
      .addColumn('destino', 'text', (c) => c.notNull())
      .addColumn('destinatarios_json', 'text', (c) => c.notNull())
      .addColumn('ativo', 'integer', (c) => c.notNull())
      .addColumn('camera_id', 'integer', (c) => c.references('cameras.id').onDelete('cascade'))
      .addColumn('tipos_evento_json', 'text', (c) => c.notNull())
      .addColumn('agenda_json', 'text', (c) => c.notNull())
      .addColumn('segredo_cifrado', 'text')
      .addColumn('criado_em', 'bigint', (c) => c.notNull())
      .addColumn('atualizado_em', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('canais_empresa').on('canais_notificacao').column('empresa_id').execute()
    await db.schema.createIndex('canais_camera').on('canais_notificacao').column('camera_id').execute()
  },
}
