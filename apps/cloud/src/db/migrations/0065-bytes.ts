import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the limit of bytes of an Empresa, the ledger of stored files, and their sum for each Empresa with those below
 * it. The files that exist are counted in the background (domains/operacao/retencao/espaco/count-existing.ts).
 */
export const bytes: Migration = {
  async up(db) {
    await db.schema.alterTable('empresas').addColumn('limite_bytes', 'bigint').execute()
    await db.schema
      .createTable('midias')
      .addColumn('caminho', 'text', (c) => c.primaryKey().notNull())
      .addColumn('empresa_id', 'integer', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('uso_midia')
      .addColumn('empresa_id', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
      // Set while its boxes wait for space.
      .addColumn('espera_desde', 'bigint')
      .addColumn('espera_motivo', 'text')
      .addColumn('avisada_em', 'bigint')
      .execute()
    await db.schema
      .createTable('contagem_midia')
      .addColumn('tabela', 'text', (c) => c.primaryKey().notNull())
      .addColumn('depois', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('feita', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    for (const tabela of ['eventos', 'passagens', 'clipes', 'evidencias', 'descartados'])
      await sql`insert into contagem_midia (tabela) values (${tabela})`.execute(db)
    // Pictures in the order in which a full Empresa loses them (domains/operacao/retencao/espaco/store.ts).
    await sql`create index eventos_com_imagem on eventos (empresa_id, gravidade, id)
      where crop_path is not null and tipo <> 'placa'`.execute(db)
    await sql`create index passagens_com_foto on passagens (empresa_id, recebida_em)
      where foto_path is not null`.execute(db)
  },
}
