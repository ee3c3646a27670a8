import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the filters, grouping and digest of canais, and the state of grouped messages. A canal that people read groups
 * by default, also one that exists already; a webhook keeps one message per event.
 */
export const mensagens: Migration = {
  async up(db) {
    await extendCanais(db)
    await createNotices(db)
    await extendDeliveries(db)
  },
}

async function extendCanais(db: Kysely<unknown>): Promise<void> {
  const texts = { gravidade_min: 'baixa', certeza_min: 'baixa', politica: 'aguardar' }
  for (const [name, value] of Object.entries(texts))
    await db.schema
      .alterTable('canais_notificacao')
      .addColumn(name, 'text', (c) => c.notNull().defaultTo(value))
      .execute()
  const numbers = { agrupar: 0, intervalo_s: 120 }
  for (const [name, value] of Object.entries(numbers))
    await db.schema
      .alterTable('canais_notificacao')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(value))
      .execute()
  await db.schema.alterTable('canais_notificacao').addColumn('resumo_hora', 'integer').execute()
  await sql`update canais_notificacao set agrupar = 1 where tipo <> 'webhook'`.execute(db)
}

async function createNotices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('avisos_incidente')
    .addColumn('canal_id', 'integer', (c) => c.notNull().references('canais_notificacao.id').onDelete('cascade'))
    .addColumn('incidente_id', 'bigint', (c) => c.notNull())
    .addColumn('mensagem_id', 'text')
    .addColumn('mensagens', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('ultima_em', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('gravidade', 'text')
    .addColumn('ao_vivo', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('a_resumir', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('criado_em', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('avisos_incidente_pk', ['canal_id', 'incidente_id'])
    .execute()
  await db.schema
    .createTable('avisos_evento')
    .addColumn('canal_id', 'integer', (c) => c.notNull().references('canais_notificacao.id').onDelete('cascade'))
    .addColumn('evento_id', 'bigint', (c) => c.notNull())
    .addColumn('incidente_id', 'bigint')
    .addColumn('situacao', 'text', (c) => c.notNull())
    .addColumn('mensagem_id', 'text')
    .addColumn('criado_em', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('avisos_evento_pk', ['canal_id', 'evento_id'])
    .execute()
  const indexes = {
    avisos_incidente_resumo: sql`avisos_incidente (canal_id, incidente_id) where a_resumir = 1`,
    avisos_incidente_idade: sql`avisos_incidente (criado_em)`,
    avisos_evento_incidente: sql`avisos_evento (canal_id, incidente_id)`,
    avisos_evento_idade: sql`avisos_evento (criado_em)`,
  }
  for (const [name, on] of Object.entries(indexes)) await sql`create index ${sql.ref(name)} on ${on}`.execute(db)
}

async function extendDeliveries(db: Kysely<unknown>): Promise<void> {
  for (const name of ['resumivel', 'atrasada'])
    await db.schema
      .alterTable('entregas')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  await db.schema.alterTable('entregas').addColumn('resumo_id', 'integer').execute()
  await sql`create index entregas_resumiveis on entregas (canal_id, destino, id)
    where estado = 'pendente' and resumivel = 1`.execute(db)
}
