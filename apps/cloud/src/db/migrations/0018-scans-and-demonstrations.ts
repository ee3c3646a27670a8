import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the time of the last scan of an edge's network, and the mark of demonstrations. */
export const scansAndDemonstrations: Migration = {
  async up(db) {
    await db.schema.alterTable('edges').addColumn('varrido_em', 'bigint').execute()
    await db.schema
      .alterTable('empresas')
      .addColumn('demonstracao', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    // Earlier releases marked a demonstration only by its names. One with a device of a customer stays unmarked,
    // because a marked one is deleted as a whole.
    await sql`update empresas set demonstracao = 1
      where nome = 'Demonstração'
      and exists (select 1 from gravadores where gravadores.empresa_id = empresas.id
        and gravadores.nome = 'Gravador da demonstração' and gravadores.usuario = 'vigia')
      and not exists (select 1 from gravadores where gravadores.empresa_id = empresas.id
        and gravadores.host <> '127.0.0.1')
      and not exists (select 1 from cameras where cameras.empresa_id = empresas.id
        and cameras.gravador_id is null)
      and not exists (select 1 from usuarios where usuarios.empresa_id = empresas.id)
      and not exists (select 1 from edges where edges.empresa_id = empresas.id)`.execute(db)
  },
}
