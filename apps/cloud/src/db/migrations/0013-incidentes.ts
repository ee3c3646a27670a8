import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds incidentes, their answers, silences, and the role `vigilante`. Stored events stay without an incidente: they
 * were answered, or not, before incidentes existed.
 */
export const incidentes: Migration = {
  async up(db) {
    await createIncidentes(db)
    await extendEvents(db)
    await db.schema
      .createTable('silencios')
      .addColumn('camera_id', 'integer', (c) => c.primaryKey().references('cameras.id').onDelete('cascade'))
      .addColumn('desde', 'bigint', (c) => c.notNull())
      .addColumn('ate', 'bigint', (c) => c.notNull())
      .addColumn('por_username', 'text', (c) => c.notNull())
      .addColumn('por_usuario_id', 'integer')
      .execute()
    await widen(db, 'usuarios', 'papel', ['administrador', 'vigilante', 'usuario'])
    await widen(db, 'alertas', 'tipo', ['incidente', 'alerta', 'evento'])
    await db.schema.alterTable('alertas').addColumn('incidente_id', 'bigint').execute()
  },
}

async function createIncidentes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('incidentes')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id'))
    .addColumn('camera_id', 'integer', (c) => c.notNull())
    .addColumn('camera_nome', 'text', (c) => c.notNull())
    .addColumn('inicio', 'bigint', (c) => c.notNull())
    .addColumn('fim', 'bigint', (c) => c.notNull())
    .addColumn('gravidade', 'text', (c) => c.notNull())
    .addColumn('tipos', 'text', (c) => c.notNull())
    .addColumn('situacao', 'text', (c) => c.notNull())
    .addColumn('capa_evento_id', 'bigint', (c) => c.notNull())
    .addColumn('eventos', 'integer', (c) => c.notNull())
    .addColumn('pendentes', 'integer', (c) => c.notNull())
    .addColumn('confirmados', 'integer', (c) => c.notNull())
    .addColumn('refutados', 'integer', (c) => c.notNull())
    .addColumn('revisados', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('silenciado', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('resposta', 'text')
    .addColumn('nota', 'text')
    .addColumn('atendido_por', 'text')
    .addColumn('atendido_usuario_id', 'integer')
    .addColumn('atendido_em', 'bigint')
    .addColumn('versao', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('anunciado_em', 'bigint', (c) => c.notNull())
    .execute()
  // The first two also hold the columns of every filter, so that a filter that few incidentes match reads no rows.
  const filtered = sql`inicio, id, gravidade, situacao, resposta, revisados, tipos`
  const indexes = {
    empresa: sql`(empresa_id, ${filtered})`,
    inicio: sql`(${filtered})`,
    camera: sql`(camera_id, inicio, id)`,
    // Same text as in the query: a partial index serves only its exact condition.
    fila: sql`(empresa_id, inicio, id) where resposta is null and situacao <> 'refutado'`,
  }
  for (const [name, parts] of Object.entries(indexes))
    await sql`create index ${sql.ref(`incidentes_${name}`)} on incidentes ${parts}`.execute(db)

  await db.schema
    .createTable('atendimentos')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('incidente_id', 'bigint', (c) => c.notNull().references('incidentes.id').onDelete('cascade'))
    .addColumn('resposta', 'text', (c) => c.notNull())
    .addColumn('nota', 'text')
    .addColumn('revisor', 'text', (c) => c.notNull())
    .addColumn('usuario_id', 'integer')
    .addColumn('atendido_em', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('atendimentos_incidente').on('atendimentos').column('incidente_id').execute()
}

async function extendEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('eventos').addColumn('trilha', 'text').execute()
  await db.schema.alterTable('eventos').addColumn('incidente_id', 'bigint').execute()
  await sql`create index eventos_incidente on eventos (incidente_id) where incidente_id is not null`.execute(db)
  await sql`create index eventos_trilha on eventos (camera_id, trilha, incidente_id) where trilha is not null`.execute(
    db,
  )
}

/**
 * Replaces a text column and its CHECK. SQLite changes no CHECK in place, and a copy of the table would delete the rows
 * that refer to it. The last value is the default, which no insert relies on.
 */
async function widen(db: Kysely<unknown>, table: string, column: string, values: readonly string[]): Promise<void> {
  const wider = `${column}_novo`
  const list = sql.join(values.map((value) => sql.lit(value)))
  await db.schema
    .alterTable(table)
    .addColumn(wider, 'text', (c) =>
      c
        .notNull()
        .defaultTo(values.at(-1) ?? '')
        .check(sql`${sql.ref(wider)} in (${list})`),
    )
    .execute()
  await sql`update ${sql.table(table)} set ${sql.ref(wider)} = ${sql.ref(column)}`.execute(db)
  await db.schema.alterTable(table).dropColumn(column).execute()
  await db.schema.alterTable(table).renameColumn(wider, column).execute()
}
