import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const DAY_MS = 86_400_000
/** Validity of edge certificates before renewal existed. */
const FORMER_DAYS = 3650

/** Adds the counters of the link, the certificates of edges, quedas and the queue of notifications. */
export const quedaTables: Migration = {
  async up(db) {
    await db.schema.alterTable('sequencias').addColumn('serie', 'text').execute()
    await db.schema.alterTable('lacunas').addColumn('id_reservado', 'bigint').execute()
    await db.schema
      .createIndex('lacunas_edge_camera')
      .on('lacunas')
      .columns(['edge_id', 'camera_id', 'motivo', 'de_seq'])
      .execute()
    await db.schema
      .createIndex('lacunas_reservadas')
      .on('lacunas')
      .columns(['edge_id', 'de_seq', 'ate_seq'])
      .where('id_reservado' as never, 'is not', null)
      .execute()
    await db.schema
      .alterTable('eventos')
      .addColumn('retroativo', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    // Serves the verification queue, which reads due events without a verdict: live before backlog, then oldest first.
    await db.schema.dropIndex('eventos_veredito').execute()
    await db.schema
      .createIndex('eventos_veredito')
      .on('eventos')
      .columns(['veredito_decisao', 'retroativo', 'id', 'verificar_apos'])
      .execute()
    await extendEdges(db)
    await createQuedas(db)
    await createDeliveries(db)
  },
}

async function extendEdges(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('edges').addColumn('limite_reenvio_kbps', 'integer').execute()
  for (const column of ['instancia', 'instancia_anterior'])
    await db.schema.alterTable('edges').addColumn(column, 'text').execute()
  await db.schema.alterTable('edges').addColumn('duplicado_em', 'bigint').execute()
  await db.schema.alterTable('edges').addColumn('codigo_anterior_hash', 'text').execute()
  await db.schema
    .createTable('certificados_edge')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    // No foreign key: a revoked certificate outlives its edge on the revocation list.
    .addColumn('edge_id', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('serial', 'text')
    .addColumn('emitido_em', 'bigint', (c) => c.notNull())
    .addColumn('vence_em', 'bigint', (c) => c.notNull())
    .addColumn('revogado_em', 'bigint')
    .execute()
  await db.schema.createIndex('certificados_edge_edge').on('certificados_edge').column('edge_id').execute()
  await sql`insert into certificados_edge (edge_id, sha256, serial, emitido_em, vence_em, revogado_em)
    select id, certificado_sha256, null, ativado_em, ativado_em + ${FORMER_DAYS * DAY_MS}, null
    from edges where certificado_sha256 is not null and ativado_em is not null`.execute(db)
  await db.schema.alterTable('edges').dropColumn('certificado_sha256').execute()
}

async function createQuedas(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('quedas')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('empresa_id', 'integer', (c) => c.references('empresas.id'))
    // No foreign keys: the record outlives its objects.
    .addColumn('edge_id', 'integer')
    .addColumn('camera_id', 'integer')
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('inicio', 'bigint', (c) => c.notNull())
    .addColumn('fim', 'bigint')
    .addColumn('motivo', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('quedas_empresa').on('quedas').columns(['empresa_id', 'id']).execute()
  await db.schema.createIndex('quedas_camera').on('quedas').columns(['camera_id', 'id']).execute()
  await db.schema.createIndex('quedas_edge').on('quedas').columns(['edge_id', 'id']).execute()
  // At most one open queda of an edge or camera; also the index of open quedas.
  await sql
    .raw(
      'create unique index quedas_abertas on quedas (coalesce(camera_id, 0), ' +
        'coalesce(case when camera_id is null then edge_id end, 0)) where fim is null',
    )
    .execute(db)
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('canais_notificacao')
    .addColumn('avisar_quedas', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createTable('entregas')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('canal_id', 'integer', (c) => c.notNull().references('canais_notificacao.id').onDelete('cascade'))
    .addColumn('destino', 'text', (c) => c.notNull())
    .addColumn('mensagem_id', 'text', (c) => c.notNull())
    .addColumn('mensagem_json', 'text', (c) => c.notNull())
    .addColumn('estado', 'text', (c) => c.notNull().check(sql`estado in ('pendente', 'entregue', 'desistida')`))
    .addColumn('tentativas', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('proxima_em', 'bigint', (c) => c.notNull())
    .addColumn('criada_em', 'bigint', (c) => c.notNull())
    .addColumn('terminada_em', 'bigint')
    .addColumn('erro', 'text')
    .addColumn('erro_em', 'bigint')
    .addUniqueConstraint('entregas_unica', ['canal_id', 'destino', 'mensagem_id'])
    .execute()
  await db.schema.createIndex('entregas_pendentes').on('entregas').columns(['estado', 'proxima_em']).execute()
  await db.schema.createIndex('entregas_canal').on('entregas').columns(['canal_id', 'estado', 'id']).execute()
}
