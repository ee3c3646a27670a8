import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { rowsInKey } from './portable.ts'

/**
 * Adds the search index and the times in which somebody watched. The words of the index are filled after the start
 * (domains/eventos/busca/fill-index.ts), because a million events take minutes.
 */
export const lookingBack: Migration = {
  async up(db) {
    await db.schema
      .createTable('busca_termos')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('palavra', 'text', (c) => c.notNull())
      .addUniqueConstraint('busca_termos_palavra', ['empresa_id', 'palavra'])
      .execute()
    // For the operator, whose scope is every Empresa.
    await db.schema.createIndex('busca_termos_todas').on('busca_termos').columns(['palavra', 'id']).execute()
    for (const table of ['busca_eventos', 'busca_incidentes'])
      await db.schema
        .createTable(table)
        .addColumn('termo_id', 'integer', (c) => c.notNull().references('busca_termos.id').onDelete('cascade'))
        .addColumn('alvo_id', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint(`${table}_pk`, ['termo_id', 'alvo_id'])
        .$call(rowsInKey(db))
        .execute()
    await db.schema
      .createTable('busca_preenchimento')
      .addColumn('alvo', 'text', (c) => c.primaryKey().notNull())
      .addColumn('ate_id', 'bigint', (c) => c.notNull())
      .execute()
    for (const table of ['eventos', 'atendimentos'])
      await sql`insert into busca_preenchimento (alvo, ate_id)
        select ${table}, max(id) + 1 from ${sql.table(table)} having count(*) > 0`.execute(db)
    await db.schema
      .createTable('presencas')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.references('empresas.id').onDelete('cascade'))
      .addColumn('abaixo', 'integer', (c) => c.notNull())
      .addColumn('inicio', 'bigint', (c) => c.notNull())
      .addColumn('fim', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('presencas_empresa').on('presencas').columns(['empresa_id', 'fim']).execute()
  },
}
