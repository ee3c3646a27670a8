import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the time that ages count against, the clocks of the boxes, and deletions that wait for a confirmation. */
export const relogio: Migration = {
  async up(db) {
    await db.schema
      .createTable('relogio')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      // null: the program has not run yet.
      .addColumn('hora', 'bigint')
      .addColumn('salto_desde', 'bigint')
      .addColumn('salto_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('duvida_desde', 'bigint')
      .addColumn('desvio_ms', 'bigint')
      .addColumn('acordo_desde', 'bigint')
      .execute()
    await sql`insert into relogio (id) values (1)`.execute(db)
    // Clock of the box minus that of the cloud at its last report, and when, in the time of ages.
    await db.schema.alterTable('edges').addColumn('desvio_central_ms', 'bigint').execute()
    await db.schema.alterTable('edges').addColumn('desvio_em', 'bigint').execute()
    await db.schema
      .createTable('apagamentos_retidos')
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('tipo', 'text', (c) => c.notNull())
      .addColumn('desde', 'bigint', (c) => c.notNull())
      .addColumn('quantos', 'bigint', (c) => c.notNull())
      .addColumn('total', 'bigint', (c) => c.notNull())
      .addColumn('confirmado', 'integer', (c) => c.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('apagamentos_retidos_pk', ['empresa_id', 'tipo'])
      .execute()
    // Days of the rule at the last sweep of a kind.
    await db.schema
      .createTable('regras_varridas')
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('tipo', 'text', (c) => c.notNull())
      .addColumn('dias', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('regras_varridas_pk', ['empresa_id', 'tipo'])
      .execute()
  },
}
