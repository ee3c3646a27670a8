import type { Migration } from 'kysely/migration'

/** Adds passages of vehicles and the lists of plates. */
export const passagens: Migration = {
  async up(db) {
    await db.schema
      .createTable('passagens')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('uuid', 'text', (c) => c.notNull())
      .addColumn('empresa_id', 'integer', (c) => c.notNull())
      .addColumn('camera_id', 'integer', (c) => c.notNull())
      .addColumn('camera_nome', 'text', (c) => c.notNull())
      .addColumn('edge_id', 'integer', (c) => c.notNull())
      .addColumn('local', 'text')
      .addColumn('revisao', 'integer', (c) => c.notNull())
      .addColumn('inicio', 'bigint', (c) => c.notNull())
      .addColumn('ocorrido_em', 'bigint', (c) => c.notNull())
      .addColumn('fim', 'bigint')
      .addColumn('recebida_em', 'bigint', (c) => c.notNull())
      .addColumn('veiculo', 'text')
      .addColumn('cor', 'text')
      .addColumn('direcao', 'text')
      .addColumn('sentido', 'text')
      .addColumn('placa', 'text')
      .addColumn('pais', 'text')
      .addColumn('forma', 'text')
      .addColumn('confianca', 'real')
      .addColumn('candidatas_json', 'text', (c) => c.notNull())
      .addColumn('situacao', 'text')
      .addColumn('evento_id', 'integer')
      .addColumn('caixa_placa_json', 'text')
      .addColumn('foto_path', 'text')
      .addColumn('foto_placa_path', 'text')
      .addUniqueConstraint('passagens_edge_uuid', ['edge_id', 'uuid'])
      .execute()
    await db.schema.createIndex('passagens_empresa').on('passagens').columns(['empresa_id', 'id']).execute()
    await db.schema
      .createIndex('passagens_empresa_placa')
      .on('passagens')
      .columns(['empresa_id', 'placa', 'id'])
      .execute()
    await db.schema.createIndex('passagens_camera').on('passagens').columns(['camera_id', 'id']).execute()
    await db.schema
      .createIndex('passagens_empresa_recebida')
      .on('passagens')
      .columns(['empresa_id', 'recebida_em'])
      .execute()
    await db.schema.createIndex('passagens_uuid').on('passagens').column('uuid').execute()

    await db.schema
      .createTable('registros_passagem')
      .addColumn('uuid', 'text', (c) => c.primaryKey())
      .addColumn('edge_id', 'integer', (c) => c.notNull())
      .addColumn('passagem_id', 'integer', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('registros_passagem_passagem').on('registros_passagem').column('passagem_id').execute()

    await db.schema
      .createTable('placas')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull())
      .addColumn('placa', 'text', (c) => c.notNull())
      .addColumn('lista', 'text', (c) => c.notNull())
      .addColumn('nota', 'text')
      .addColumn('dono', 'text')
      .addColumn('validade', 'bigint')
      .addColumn('criada_em', 'bigint', (c) => c.notNull())
      .addColumn('atualizada_em', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('placas_empresa_placa', ['empresa_id', 'placa'])
      .execute()
  },
}
