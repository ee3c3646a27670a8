import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Creates every table of tables.ts. `id` is AUTOINCREMENT everywhere, so that ids are never reused: an event may
 * outlive its camera. JSON is stored in text columns; times are epoch ms.
 */
export const initialSchema: Migration = {
  async up(db) {
    await createAccounts(db)
    await createCameras(db)
    await createEvents(db)
  },
}

const withId = <T extends string>(table: CreateTableBuilder<T>) =>
  table.addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await withId(db.schema.createTable('empresas'))
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('empresa_pai_id', 'integer', (c) => c.references('empresas.id'))
    .addColumn('fuso_horario', 'text', (c) => c.notNull())
    .addColumn('limite_cameras', 'integer', (c) => c.notNull())
    .addColumn('criada_em', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('empresas_pai').on('empresas').column('empresa_pai_id').execute()

  await withId(db.schema.createTable('usuarios'))
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('username_chave', 'text', (c) => c.notNull().unique())
    .addColumn('senha_hash', 'text', (c) => c.notNull())
    .addColumn('papel', 'text', (c) => c.notNull().check(sql`papel in ('administrador', 'usuario')`))
    .addColumn('empresa_id', 'integer', (c) => c.references('empresas.id'))
    .addColumn('criado_em', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('usuarios_empresa').on('usuarios').column('empresa_id').execute()

  await db.schema
    .createTable('sessoes')
    .addColumn('token_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('usuario_id', 'integer', (c) => c.notNull().references('usuarios.id').onDelete('cascade'))
    .addColumn('expira_em', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sessoes_expira').on('sessoes').column('expira_em').execute()
  await db.schema.createIndex('sessoes_usuario').on('sessoes').column('usuario_id').execute()
}

async function createCameras(db: Kysely<unknown>): Promise<void> {
  await withId(db.schema.createTable('edges'))
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('empresa_id', 'integer', (c) => c.references('empresas.id'))
    .addColumn('local', 'integer', (c) => c.notNull())
    .addColumn('codigo_hash', 'text', (c) => c.unique())
    .addColumn('codigo_expira_em', 'bigint')
    .addColumn('ativado_em', 'bigint')
    .addColumn('chave_cifra_json', 'text')
    .addColumn('certificado_sha256', 'text')
    .addColumn('desejado_versao', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('presente', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('visto_em', 'bigint')
    .addColumn('relato_json', 'text')
    .addColumn('criado_em', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('edges_empresa').on('edges').column('empresa_id').execute()

  await withId(db.schema.createTable('cameras'))
    .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id'))
    .addColumn('edge_id', 'integer', (c) => c.references('edges.id').onDelete('set null'))
    .addColumn('gravador_id', 'integer')
    .addColumn('canal', 'integer')
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('rtsp_url_cifrada', 'text', (c) => c.notNull())
    .addColumn('rtsp_url', 'text', (c) => c.notNull())
    .addColumn('sub_rtsp_url_cifrada', 'text')
    .addColumn('sub_rtsp_url', 'text')
    .addColumn('perfil', 'text')
    .addColumn('eventos_habilitados_json', 'text', (c) => c.notNull())
    .addColumn('config_ia_json', 'text', (c) => c.notNull())
    .addColumn('zonas_json', 'text', (c) => c.notNull())
    .addColumn('linha_json', 'text', (c) => c.notNull())
    .addColumn('agenda_json', 'text', (c) => c.notNull())
    .addColumn('ativa', 'integer', (c) => c.notNull())
    .addColumn('modo_b_config_json', 'text')
    .addColumn('instrucoes_json', 'text', (c) => c.notNull())
    .addColumn('relato_estado', 'text')
    .addColumn('relato_motivo', 'text')
    .addColumn('relato_complemento', 'text')
    .addColumn('relato_em', 'bigint')
    .addColumn('ias_sem_suporte_json', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('ultimo_frame_em', 'bigint')
    .addColumn('codec', 'text')
    .addColumn('resolucao', 'text')
    .addColumn('fps', 'real')
    .addColumn('criada_em', 'bigint', (c) => c.notNull())
    .addColumn('atualizada_em', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('cameras_empresa').on('cameras').column('empresa_id').execute()
  await db.schema.createIndex('cameras_edge').on('cameras').column('edge_id').execute()
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await withId(db.schema.createTable('eventos'))
    .addColumn('uuid', 'text', (c) => c.notNull().unique())
    .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id'))
    .addColumn('camera_id', 'integer', (c) => c.notNull())
    .addColumn('camera_nome', 'text', (c) => c.notNull())
    .addColumn('edge_id', 'integer', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('tipo', 'text', (c) => c.notNull())
    .addColumn('gravidade', 'text', (c) => c.notNull())
    .addColumn('ocorrido_em', 'bigint', (c) => c.notNull())
    .addColumn('recebido_em', 'bigint', (c) => c.notNull())
    .addColumn('relogio_json', 'text', (c) => c.notNull())
    .addColumn('confianca', 'real', (c) => c.notNull())
    .addColumn('rotulos_json', 'text', (c) => c.notNull())
    .addColumn('caixas_json', 'text', (c) => c.notNull())
    .addColumn('zona', 'integer')
    .addColumn('crop_path', 'text')
    .addColumn('quadro_path', 'text')
    .addColumn('calibracao_json', 'text', (c) => c.notNull())
    .addColumn('instrucoes_json', 'text', (c) => c.notNull())
    .addColumn('modelo', 'text', (c) => c.notNull())
    .addColumn('detalhes_json', 'text', (c) => c.notNull())
    .addColumn('veredito_decisao', 'text')
    .addColumn('veredito_confianca', 'real')
    .addColumn('veredito_motivo', 'text')
    .addColumn('veredito_fonte', 'text')
    .addColumn('verificado_em', 'bigint')
    .addColumn('verificacao_tentativas', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('verificar_apos', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('revisao_rotulo', 'text')
    .addColumn('revisao_revisor', 'text')
    .addColumn('revisado_em', 'bigint')
    .execute()
  // Lists are ordered by id (arrival), newest first, so that each filter has an index that ends with id.
  for (const column of ['empresa_id', 'camera_id', 'tipo', 'gravidade'] as const)
    await db.schema.createIndex(`eventos_${column}`).on('eventos').columns([column, 'id']).execute()
  // Also serves the verification queue, which reads due events without a verdict, oldest first.
  await db.schema
    .createIndex('eventos_veredito')
    .on('eventos')
    .columns(['veredito_decisao', 'id', 'verificar_apos'])
    .execute()
  await db.schema.createIndex('eventos_ocorrido_em').on('eventos').column('ocorrido_em').execute()
  // Holds all columns that the counts group by, so that they need no row reads.
  await db.schema
    .createIndex('eventos_contagem')
    .on('eventos')
    .columns(['empresa_id', 'tipo', 'gravidade', 'veredito_decisao', 'camera_id'])
    .execute()

  await db.schema
    .createTable('sequencias')
    .addColumn('edge_id', 'integer', (c) => c.notNull())
    .addColumn('camera_id', 'integer', (c) => c.notNull())
    .addColumn('ultimo_seq', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sequencias_pk', ['edge_id', 'camera_id'])
    .execute()

  await withId(db.schema.createTable('lacunas'))
    .addColumn('uuid', 'text', (c) => c.unique())
    .addColumn('edge_id', 'integer', (c) => c.notNull())
    .addColumn('camera_id', 'integer', (c) => c.notNull())
    .addColumn('de_seq', 'bigint', (c) => c.notNull())
    .addColumn('ate_seq', 'bigint', (c) => c.notNull())
    .addColumn('ocorrido_de', 'bigint')
    .addColumn('ocorrido_ate', 'bigint')
    .addColumn('motivo', 'text', (c) => c.notNull())
    .addColumn('registrada_em', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('lacunas_camera').on('lacunas').columns(['camera_id', 'de_seq']).execute()

  await db.schema
    .createTable('alertas')
    .addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('evento_id', 'integer', (c) => c.notNull().references('eventos.id').onDelete('cascade'))
    .addColumn('tipo', 'text', (c) => c.notNull().check(sql`tipo in ('evento', 'alerta')`))
    .addColumn('criado_em', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('alertas_evento').on('alertas').column('evento_id').execute()
}
