import type { Migration } from 'kysely/migration'

/** Adds Web Push: the key pair of the installation, subscribed browsers and their messages. */
export const push: Migration = {
  async up(db) {
    await db.schema
      .createTable('chaves_vapid')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('publica', 'text', (c) => c.notNull())
      .addColumn('privada_cifrada', 'text', (c) => c.notNull())
      .addColumn('criada_em', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('inscricoes_push')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('usuario_id', 'integer', (c) => c.notNull().references('usuarios.id').onDelete('cascade'))
      .addColumn('endpoint_hash', 'text', (c) => c.notNull().unique())
      .addColumn('destino_cifrado', 'text', (c) => c.notNull())
      .addColumn('servico', 'text', (c) => c.notNull())
      .addColumn('contato', 'text', (c) => c.notNull())
      .addColumn('gravidade_min', 'text', (c) => c.notNull())
      .addColumn('nome', 'text', (c) => c.notNull())
      .addColumn('criada_em', 'bigint', (c) => c.notNull())
      .addColumn('entregue_em', 'bigint')
      .addColumn('erro', 'text')
      .execute()
    await db.schema.createIndex('inscricoes_push_usuario').on('inscricoes_push').columns(['usuario_id', 'id']).execute()
    await db.schema
      .createTable('envios_push')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('inscricao_id', 'integer', (c) => c.notNull().references('inscricoes_push.id').onDelete('cascade'))
      .addColumn('evento_id', 'bigint', (c) => c.notNull())
      .addColumn('etiqueta', 'text', (c) => c.notNull())
      .addColumn('criado_em', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('envios_push_etiqueta', ['inscricao_id', 'etiqueta'])
      .execute()
    await db.schema.createIndex('envios_push_idade').on('envios_push').columns(['criado_em', 'id']).execute()
  },
}
