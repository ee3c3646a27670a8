import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../postgres-dialect.ts'

/**
 * Adds the passage of an event, so that a hold of the event reaches the passage. Adds deletions of one plate, what a
 * deletion did with passages, and what it left.
 */
export const registroDeDados: Migration = {
  async up(db) {
    await db.schema.alterTable('eventos').addColumn('passagem_id', 'bigint').execute()
    const id = isPostgres(db)
      ? sql`(detalhes_json::jsonb ->> 'passagem_id')::bigint`
      : sql`json_extract(detalhes_json, '$.passagem_id')`
    await sql`update eventos set passagem_id = ${id} where tipo = 'placa'`.execute(db)
    await sql`create index eventos_passagem on eventos (passagem_id) where passagem_id is not null`.execute(db)
    await sql`create index passagens_evento on passagens (evento_id) where evento_id is not null`.execute(db)
    await db.schema
      .createIndex('passagens_empresa_lida')
      .on('passagens')
      .columns(['empresa_id', 'placa_lida'])
      .execute()
    await db.schema
      .createIndex('passagens_empresa_ocorrido')
      .on('passagens')
      .columns(['empresa_id', 'ocorrido_em'])
      .execute()
    // Normalized; null: of every plate.
    await db.schema.alterTable('apagamentos').addColumn('placa', 'text').execute()
    for (const name of ['passagens', 'passagens_preservadas'])
      await db.schema
        .alterTable('apagamentos')
        .addColumn(name, 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    // Records that stay, with the reasons; null: the deletion has not ended, or ended before this release.
    await db.schema.alterTable('apagamentos').addColumn('ficou_json', 'text').execute()
  },
}
