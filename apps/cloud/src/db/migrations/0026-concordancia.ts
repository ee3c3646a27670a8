import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the origin of a review, the bias of a verdict, the bias of each camera and IA, and indexes of the reviewed
 * events. Stored reviews have no origin: they never count for a bias.
 */
export const concordancia: Migration = {
  async up(db) {
    await db.schema.alterTable('eventos').addColumn('revisao_pessoa', 'integer').execute()
    await db.schema.alterTable('eventos').addColumn('veredito_ajuste', 'double precision').execute()
    await db.schema
      .createIndex('eventos_revisados')
      .on('eventos')
      .columns(['camera_id', 'tipo', 'revisado_em'])
      .where(sql.ref('revisao_rotulo'), 'is not', null)
      .execute()
    await db.schema
      .createIndex('eventos_treinamento')
      .on('eventos')
      .columns(['empresa_id', 'ocorrido_em', 'id'])
      .where(sql.ref('revisao_rotulo'), 'is not', null)
      .execute()
    await db.schema
      .createTable('ajustes')
      .addColumn('camera_id', 'integer', (c) => c.notNull())
      .addColumn('ia', 'text', (c) => c.notNull())
      .addColumn('ajuste', 'double precision', (c) => c.notNull())
      .addColumn('revisoes', 'integer', (c) => c.notNull())
      .addColumn('verdadeiros', 'integer', (c) => c.notNull())
      .addColumn('esperados', 'double precision', (c) => c.notNull())
      .addColumn('variancia', 'double precision', (c) => c.notNull())
      .addColumn('desde', 'bigint')
      .addColumn('calculado_em', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('ajustes_pk', ['camera_id', 'ia'])
      .execute()
  },
}
