import type { Migration } from 'kysely/migration'

/** Adds the owners of live streams. */
export const transmissoes: Migration = {
  async up(db) {
    await db.schema
      .createTable('transmissoes')
      .addColumn('camera_id', 'integer', (c) => c.notNull())
      .addColumn('fluxo', 'text', (c) => c.notNull())
      .addColumn('replica', 'text', (c) => c.notNull())
      .addColumn('epoca', 'integer', (c) => c.notNull())
      .addColumn('vence_em', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('transmissoes_chave', ['camera_id', 'fluxo'])
      .execute()
  },
}
