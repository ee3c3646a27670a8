import type { Migration } from 'kysely/migration'

/** Adds further pictures of events. No foreign key: they are deleted with their event (domains/eventos/eventos). */
export const evidencias: Migration = {
  async up(db) {
    await db.schema
      .createTable('evidencias')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('uuid', 'text', (c) => c.notNull().unique())
      .addColumn('evento_id', 'bigint', (c) => c.notNull())
      .addColumn('ordem', 'integer', (c) => c.notNull())
      .addColumn('fonte', 'text', (c) => c.notNull())
      .addColumn('dt_ms', 'integer', (c) => c.notNull())
      .addColumn('redetectada', 'integer', (c) => c.notNull())
      .addColumn('caixas_json', 'text', (c) => c.notNull())
      .addColumn('caminho', 'text', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('recebida_em', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('evidencias_ordem', ['evento_id', 'ordem'])
      .execute()
  },
}
