import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { allowSweepOfAuditoria } from './portable.ts'

/** Adds retention, holds of events, and what the sweep removed. Audit records may now leave by the sweep. */
export const retencao: Migration = {
  async up(db) {
    await db.schema
      .createTable('retencoes')
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('tipo', 'text', (c) => c.notNull())
      .addColumn('dias', 'integer')
      .addColumn('bytes', 'bigint')
      .addPrimaryKeyConstraint('retencoes_pk', ['empresa_id', 'tipo'])
      .execute()
    await db.schema
      .createTable('preservacoes')
      .addColumn('evento_id', 'bigint', (c) => c.primaryKey().references('eventos.id').onDelete('cascade'))
      .addColumn('motivo', 'text', (c) => c.notNull())
      .addColumn('ate', 'bigint', (c) => c.notNull())
      .addColumn('por', 'text', (c) => c.notNull())
      .addColumn('desde', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('apagados_retencao')
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('dia', 'integer', (c) => c.notNull())
      .addColumn('tipo', 'text', (c) => c.notNull())
      .addColumn('quantos', 'integer', (c) => c.notNull())
      .addColumn('de', 'bigint', (c) => c.notNull())
      .addColumn('ate', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('apagados_retencao_pk', ['empresa_id', 'dia', 'tipo'])
      .execute()
    await db.schema.alterTable('eventos').addColumn('midia_bytes', 'bigint').execute()
    await db.schema
      .createIndex('eventos_medida')
      .on('eventos')
      .columns(['empresa_id', 'recebido_em', 'midia_bytes'])
      .execute()
    await sql`create index eventos_sem_medida on eventos (empresa_id, id) where midia_bytes is null`.execute(db)
    await db.schema.createIndex('clipes_idade').on('clipes').columns(['empresa_id', 'recebido_em']).execute()
    await db.schema
      .createTable('auditoria_varrida')
      .addColumn('empresa_id', 'integer', (c) => c.primaryKey().references('empresas.id').onDelete('cascade'))
      .addColumn('ate', 'bigint', (c) => c.notNull())
      .execute()
    await allowSweepOfAuditoria(db)
  },
}
