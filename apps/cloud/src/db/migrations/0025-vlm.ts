import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the external verifier of an Empresa: the server that its administrador accepted, its monthly limit of calls, and
 * the use of each month.
 */
export const vlm: Migration = {
  async up(db) {
    await db.schema.alterTable('empresas').addColumn('vlm_servidor', 'text').execute()
    await db.schema.alterTable('empresas').addColumn('vlm_chamadas_mes', 'integer').execute()
    const count = ['chamadas', 'sem_resposta', 'tokens_entrada', 'tokens_saida', 'preco_micros'] as const
    await count
      .reduce(
        (table, name) => table.addColumn(name, 'bigint', (c) => c.notNull().defaultTo(sql`0`)),
        db.schema
          .createTable('vlm_usos')
          .addColumn('empresa_id', 'integer', (c) => c.notNull())
          .addColumn('mes', 'text', (c) => c.notNull())
          .addColumn('ultimo_erro', 'text')
          .addColumn('ultimo_erro_em', 'bigint'),
      )
      .addPrimaryKeyConstraint('vlm_usos_pk', ['empresa_id', 'mes'])
      .execute()
  },
}
