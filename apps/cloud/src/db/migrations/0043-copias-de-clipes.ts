import type { Migration } from 'kysely/migration'

/** Adds H.264 copies of clips in H.265. */
export const copiasDeClipes: Migration = {
  async up(db) {
    await db.schema.alterTable('clipes').addColumn('copia_em', 'bigint').execute()
    await db.schema.alterTable('clipes').addColumn('copia_tamanho', 'bigint').execute()
    await db.schema.alterTable('clipes').addColumn('copia_sha256', 'text').execute()
    await db.schema.alterTable('clipes').addColumn('copia_falha', 'text').execute()
  },
}
