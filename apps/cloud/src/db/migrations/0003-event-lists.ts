import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { rowsInKey } from './portable.ts'

/**
 * The queries have the same text, because the index serves only this exact expression. The expression is never null, so
 * that `=` finds it.
 */
const SITUACAO = sql`cast(coalesce(veredito_decisao, 'pendente') as text)`

/**
 * Adds one index per kind of event list, the counts of stored events (eventos/count-store.ts), and the list of
 * files to delete.
 */
export const eventLists: Migration = {
  async up(db) {
    await createIndexes(db)
    await createCounts(db)
    await db.schema
      .createTable('midias_a_apagar')
      .addColumn('caminho', 'text', (c) => c.primaryKey().notNull())
      .addColumn('apagando', 'integer', (c) => c.notNull())
      .execute()
  },
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const replaced = ['empresa_id', 'camera_id', 'tipo', 'gravidade', 'ocorrido_em', 'contagem']
  for (const name of replaced) await db.schema.dropIndex(`eventos_${name}`).ifExists().execute()
  // Each index has equality columns followed by id, so that the events of one class need no sort. `ocorrido_em` ends
  // each index, so that a period is checked without the row.
  const classe = ['tipo', 'gravidade', SITUACAO]
  const indexes = {
    camera: ['camera_id', 'empresa_id', ...classe, 'id', 'ocorrido_em'],
    empresa_classe: ['empresa_id', ...classe, 'id', 'ocorrido_em'],
    empresa: ['empresa_id', 'id', 'ocorrido_em'],
    classe: [...classe, 'id', 'ocorrido_em'],
    periodo: ['ocorrido_em', 'empresa_id', 'camera_id', ...classe],
  }
  for (const [name, parts] of Object.entries(indexes)) {
    const columns = sql.join(parts.map((part) => (typeof part === 'string' ? sql.ref(part) : part)))
    await sql`create index ${sql.ref(`eventos_${name}`)} on eventos (${columns})`.execute(db)
  }
}

async function createCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contagens_eventos')
    .addColumn('dias', 'integer', (c) => c.notNull())
    .addColumn('camera_id', 'integer', (c) => c.notNull())
    .addColumn('empresa_id', 'integer', (c) => c.notNull())
    .addColumn('periodo', 'integer', (c) => c.notNull())
    .addColumn('tipo', 'text', (c) => c.notNull())
    .addColumn('gravidade', 'text', (c) => c.notNull())
    .addColumn('situacao', 'text', (c) => c.notNull())
    .addColumn('n', 'integer', (c) => c.notNull())
    .addColumn('revisados_confirmado', 'integer', (c) => c.notNull())
    .addColumn('revisados_refutado', 'integer', (c) => c.notNull())
    .addColumn('menor_id', 'integer', (c) => c.notNull())
    .addColumn('maior_id', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('contagens_eventos_pk', [
      'dias',
      'camera_id',
      'empresa_id',
      'periodo',
      'tipo',
      'gravidade',
      'situacao',
    ])
    .$call(rowsInKey(db))
    .execute()

  // Counts days per camera from the events; wider counts are sums of these.
  await sql`insert into contagens_eventos
    select 1, camera_id, empresa_id, ocorrido_em / 86400000, tipo, gravidade, ${SITUACAO}, count(*),
      count(case when revisao_rotulo = 'confirmado' then 1 end),
      count(case when revisao_rotulo = 'refutado' then 1 end), min(id), max(id)
    from eventos group by 1, 2, 3, 4, 5, 6, 7`.execute(db)
  const levels = [
    ['32', 'camera_id', 'empresa_id', 'periodo / 32'],
    ['0', 'camera_id', 'empresa_id', '0'],
    ['1', '0', 'empresa_id', 'periodo'],
    ['32', '0', 'empresa_id', 'periodo / 32'],
    ['0', '0', 'empresa_id', '0'],
    ['1', '0', '0', 'periodo'],
    ['32', '0', '0', 'periodo / 32'],
    ['0', '0', '0', '0'],
  ]
  for (const key of levels)
    await sql`insert into contagens_eventos
      select ${sql.raw(key.join(', '))}, tipo, gravidade, situacao,
        sum(n), sum(revisados_confirmado), sum(revisados_refutado), min(menor_id), max(maior_id)
      from contagens_eventos where dias = 1 and camera_id > 0 group by 1, 2, 3, 4, 5, 6, 7`.execute(db)
}
