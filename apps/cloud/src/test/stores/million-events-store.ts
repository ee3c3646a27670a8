import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate } from '../../db/migrate.ts'
import type { Tables } from '../../db/tables.ts'

/** Time of the newest evento with a correct clock in epoch ms. */
export const NOW = Date.UTC(2026, 10, 21)
/** Ids of the integrator's Empresas: 2 … 201; 1 is the integrator, 202 … 240 are of others. */
export const SUBTREE = Array.from({ length: 201 }, (_, i) => i + 1)

/**
 * A database with `total` eventos of a year, the worst case for lists. Empresa 2 owns a third of them, and many
 * Empresas own a few. One tipo occurs only in the first days, other tipos are rare, and one old class no longer occurs.
 * Some deliveries are five days late, and the clock of one edge is in 1970. Writes without a sync and migrates from the
 * schema before the lists, so that the migration computes the counts.
 */
export async function fillEvents(file: string, total: number): Promise<void> {
  await fillUnsynced(file, async (sqlite, db) => {
    await migrate(db, '0002-recorders-and-channels')
    for (const index of ['empresa_id', 'camera_id', 'tipo', 'gravidade', 'veredito', 'ocorrido_em', 'contagem'])
      sqlite.exec(`drop index eventos_${index}`)
    insertEmpresas(sqlite, 240)
    sqlite.prepare(events).run({ total, start: NOW - 365 * 86_400_000, step: (365 * 86_400_000) / total })
    sqlite.exec('create index eventos_veredito on eventos (veredito_decisao, id, verificar_apos)')
    await migrate(db)
  })
}

/** Fills a new database without any sync. */
export async function fillUnsynced(
  file: string,
  fill: (sqlite: SqliteDatabase.Database, db: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const sqlite = new SqliteDatabase(file)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  try {
    sqlite.pragma('journal_mode = OFF')
    sqlite.pragma('synchronous = OFF')
    sqlite.pragma('cache_size = -400000')
    await fill(sqlite, db)
  } finally {
    await db.destroy()
  }
}

/** Empresas 1 … `last`; 2 … 201 belong to 1. */
export const insertEmpresas = (sqlite: SqliteDatabase.Database, last: number): void =>
  void sqlite.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${last})
    insert into empresas (id, nome, empresa_pai_id, fuso_horario, limite_cameras, criada_em)
    select i, 'Empresa ' || i, case when i between 2 and 201 then 1 end, 'America/Sao_Paulo', 999, 1 from n`)

// r, s: two series of pseudo-random numbers below 1000 and 10000, equal in every run.
const events = `
  with recursive
    n(i) as (select 1 union all select i + 1 from n where i < :total),
    r as (select i, (i * 7919 + i / 13 * 104729) % 1000 r, (i * 15485863 + i / 7 * 32452843) % 10000 s from n),
    e as (select i, r, s,
      case when r < 333 then 2 when r < 600 then 3 + s % 20 when r < 900 then 3 + s % 199 else 202 + s % 39 end empresa,
      case when i < :total / 50 and s % 3 = 0 then 'objeto_abandonado' when s = 1 then 'fogo' when s < 40 then 'fumaca'
        when s < 3000 then 'cruzamento_linha' when s < 4000 then 'permanencia' when s < 4500 then 'veiculo'
        else 'invasao' end tipo
      from r)
  insert into eventos (uuid, empresa_id, camera_id, camera_nome, edge_id, seq, tipo, gravidade, ocorrido_em,
    recebido_em, relogio_json, confianca, rotulos_json, caixas_json, calibracao_json, instrucoes_json, modelo,
    detalhes_json, crop_path, veredito_decisao, verificar_apos)
  select printf('%032x', i), empresa, empresa * 10 + s % 7, 'Portão', empresa, i, tipo,
    case tipo when 'fogo' then 'critica' when 'permanencia' then 'media' when 'veiculo' then 'media'
      when 'objeto_abandonado' then 'media' else case when s = 5000 then 'baixa' else 'alta' end end,
    case when s = 77 then i % 1000 * 1000 else cast(:start + i * :step as integer)
      - case when s % 100 = 50 then 432000000 when s % 10 = 3 then 90000 else 0 end end,
    cast(:start + i * :step as integer), '{}', 0.7, '["person"]',
    '[{"rotulo":"person","confianca":0.7,"x":0.1,"y":0.2,"w":0.3,"h":0.4}]', '{}', '[]', 'm', '{}',
    'eventos/a-crop.jpg',
    case when i > :total - 500 and s % 2 = 0 then null when s % 9999 = 0 then null when r % 100 < 93 then 'refutado'
      else 'confirmado' end, 9007199254740991
  from e`
