import type { Migration } from 'kysely/migration'

/** Adds what lets a secret of one use be answered again after a lost answer, and programs with a document. */
export const respostasPerdidas: Migration = {
  async up(db) {
    await db.schema.alterTable('renovacoes_oauth').addColumn('repetida_em', 'bigint').execute()
    await db.schema.alterTable('clientes_oauth').addColumn('lido_em', 'bigint').execute()
    await db.schema.alterTable('convites').addColumn('aceito_em', 'bigint').execute()
    await db.schema.alterTable('convites').addColumn('aceito_por', 'text').execute()
  },
}
