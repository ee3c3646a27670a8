import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds one durable work queue (db/work-queue) instead of the queue columns of `eventos` and `entregas`. Waiting work
 * moves into it in the state `recuo`; the first check of a worker makes it ready, in lanes and turns. Also adds the
 * state of failing destinations and the event budget.
 */
export const workQueue: Migration = {
  async up(db) {
    await createQueue(db)
    await createDestinations(db)
    await createBudget(db)
    await moveEvents(db)
    await moveDeliveries(db)
  },
}

async function createQueue(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('trabalhos')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('tipo', 'text', (c) => c.notNull())
    .addColumn('chave', 'text', (c) => c.notNull())
    .addColumn('raiz_id', 'integer', (c) => c.notNull())
    .addColumn('empresa_id', 'integer', (c) => c.notNull())
    .addColumn('faixa', 'text')
    .addColumn('grupo', 'text')
    .addColumn('prioridade', 'integer', (c) => c.notNull())
    .addColumn('estado', 'text', (c) =>
      c.notNull().check(sql`estado in ('pronto', 'atras', 'recuo', 'em_curso', 'parado')`),
    )
    .addColumn('em', 'bigint')
    .addColumn('tentativas', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('criado_em', 'bigint', (c) => c.notNull())
    .addColumn('posse', 'text')
    .addColumn('erro', 'text')
    .addColumn('erro_em', 'bigint')
    .addUniqueConstraint('trabalhos_chave', ['tipo', 'chave'])
    .execute()
  const indexes = {
    prioridade: sql`(tipo, estado, empresa_id, prioridade, id)`,
    idade: sql`(tipo, estado, empresa_id, criado_em, id)`,
    hora: sql`(tipo, estado, em)`,
    faixa: sql`(faixa, estado, tipo, empresa_id, prioridade, id) where faixa is not null`,
    grupo: sql`(grupo, estado) where grupo is not null`,
    parados: sql`(empresa_id, id) where estado = 'parado'`,
  }
  for (const [name, parts] of Object.entries(indexes))
    await sql`create index ${sql.ref(`trabalhos_${name}`)} on trabalhos ${parts}`.execute(db)
  await db.schema
    .createTable('turnos_trabalho')
    .addColumn('tipo', 'text', (c) => c.notNull())
    .addColumn('acima', 'integer', (c) => c.notNull())
    .addColumn('quem', 'integer', (c) => c.notNull())
    .addColumn('pronto', 'integer', (c) => c.notNull())
    .addColumn('servido', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('vezes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('turnos_trabalho_pk', ['tipo', 'acima', 'quem'])
    .execute()
  await sql`create index turnos_trabalho_vez on turnos_trabalho (tipo, acima, pronto, servido, quem)`.execute(db)
  await sql`create index turnos_trabalho_ultimo on turnos_trabalho (tipo, acima, servido)`.execute(db)
  await db.schema
    .createTable('faixas_trabalho')
    .addColumn('faixa', 'text', (c) => c.primaryKey().notNull())
    .execute()
}

const createDestinations = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .createTable('destinos_lentos')
    .addColumn('destino', 'text', (c) => c.primaryKey().notNull())
    .addColumn('falhas', 'integer', (c) => c.notNull())
    .addColumn('pausado_ate', 'bigint', (c) => c.notNull())
    .addColumn('visto_em', 'bigint', (c) => c.notNull())
    .execute()

const createBudget = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .createTable('orcamento_eventos')
    .addColumn('edge_id', 'integer', (c) => c.notNull())
    .addColumn('camera_id', 'integer', (c) => c.notNull())
    .addColumn('minuto', 'bigint', (c) => c.notNull())
    .addColumn('eventos', 'integer', (c) => c.notNull())
    .addColumn('criticos', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('orcamento_eventos_pk', ['edge_id', 'camera_id'])
    .execute()

/** Every Empresa with the root of its tree. */
const ROOTS = sql`with recursive raizes(id, raiz) as (
  select id, id from empresas where empresa_pai_id is null
  union select e.id, r.raiz from empresas e join raizes r on e.empresa_pai_id = r.id)`

async function moveEvents(db: Kysely<unknown>): Promise<void> {
  // An event with a verification error was attempted before and stays visible as stopped until its next attempt.
  await sql`insert into trabalhos
      (tipo, chave, raiz_id, empresa_id, prioridade, estado, em, tentativas, criado_em, erro, erro_em)
    ${ROOTS}
    select 'verificacao', cast(e.id as text), coalesce(r.raiz, e.empresa_id), e.empresa_id,
      case e.gravidade when 'critica' then 0 when 'alta' then 1 when 'media' then 2 else 3 end + 4 * e.retroativo,
      case when e.detalhes_json like '%"falha_verificacao"%' then 'parado' else 'recuo' end,
      e.verificar_apos, e.verificacao_tentativas, e.recebido_em,
      case when e.detalhes_json like '%"falha_verificacao"%'
        then 'Este evento ainda não pôde ser verificado. Confira a imagem.' end,
      case when e.detalhes_json like '%"falha_verificacao"%' then e.recebido_em end
    from eventos e left join raizes r on r.id = e.empresa_id
    where e.veredito_decisao is null
    order by e.id`.execute(db)
  await db.schema.dropIndex('eventos_veredito').execute()
  for (const column of ['verificar_apos', 'verificacao_tentativas'])
    await db.schema.alterTable('eventos').dropColumn(column).execute()
}

interface PendingDelivery {
  readonly id: number
  readonly raiz_id: number
  readonly empresa_id: number
  readonly canal_tipo: string
  readonly destino: string
  readonly tentativas: number
  readonly proxima_em: number
  readonly criada_em: number
  readonly erro: string | null
  readonly erro_em: number | null
}
const PAGE = 500

async function moveDeliveries(db: Kysely<unknown>): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<PendingDelivery>`${ROOTS}
      select e.id, coalesce(r.raiz, c.empresa_id) as raiz_id, c.empresa_id, c.tipo as canal_tipo, e.destino,
        e.tentativas, e.proxima_em, e.criada_em, e.erro, e.erro_em
      from entregas e join canais_notificacao c on c.id = e.canal_id left join raizes r on r.id = c.empresa_id
      where e.estado = 'pendente' and e.id > ${after} order by e.id limit ${PAGE}`.execute(db)
    for (const row of rows) {
      const host = URL.parse(row.destino)?.host ?? row.destino
      await sql`insert into trabalhos
          (tipo, chave, raiz_id, empresa_id, faixa, grupo, prioridade, estado, em, tentativas, criado_em, erro, erro_em)
        values (${row.tentativas > 0 ? 'notificacao_lenta' : 'notificacao'}, ${String(row.id)}, ${row.raiz_id},
          ${row.empresa_id}, ${row.canal_tipo === 'webhook' ? `webhook:${host}` : row.canal_tipo},
          ${row.destino}, 0, 'recuo',
          ${row.proxima_em}, ${row.tentativas}, ${row.criada_em}, ${row.erro}, ${row.erro_em})`.execute(db)
    }
    const last = rows.at(-1)
    if (rows.length < PAGE || !last) break
    after = last.id
  }
  await sql`insert into destinos_lentos (destino, falhas, pausado_ate, visto_em)
    select destino, 0, 0, max(coalesce(erro_em, criada_em)) from entregas
    where estado = 'pendente' and tentativas > 0 group by destino`.execute(db)
  await db.schema.dropIndex('entregas_pendentes').execute()
  for (const column of ['proxima_em', 'tentativas']) await db.schema.alterTable('entregas').dropColumn(column).execute()
  await db.schema.createIndex('entregas_terminadas').on('entregas').columns(['estado', 'terminada_em']).execute()
}
