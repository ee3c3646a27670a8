import { migrate } from '../../db/migrate.ts'
import { fillUnsynced, insertEmpresas, NOW } from './million-events-store.ts'

/**
 * A database with `total` incidentes of a year at 500 cameras, each of one event, which is the worst case for lists.
 * Empresa 2 owns a third of them, 3 to 201 share the rest, and Empresa 202 owns few. Writes without a sync.
 */
export async function fillIncidentes(file: string, total: number): Promise<void> {
  await fillUnsynced(file, async (sqlite, db) => {
    await migrate(db)
    const indexes = sqlite
      .prepare<[], { name: string; sql: string }>(
        "select name, sql from sqlite_master where type = 'index' and tbl_name = 'incidentes' and sql is not null",
      )
      .all()
    for (const { name } of indexes) sqlite.exec(`drop index ${name}`)
    insertEmpresas(sqlite, 202)
    const step = (365 * 86_400_000) / total
    sqlite.prepare(rows).run({ total, start: NOW - 365 * 86_400_000, step })
    for (const { sql } of indexes) sqlite.exec(sql)
  })
}

// r, s: two series of pseudo-random numbers below 1000 and 10000, equal in every run.
const rows = `
  with recursive
    n(i) as (select 1 union all select i + 1 from n where i < :total),
    r as (select i, (i * 7919 + i / 13 * 104729) % 1000 r, (i * 15485863 + i / 7 * 32452843) % 10000 s from n),
    e as (select i, r, s, case when s = 9 then 202 when r < 333 then 2 else 3 + s % 199 end empresa,
      cast(:start + i * :step as integer) em,
      case when s = 1 then '|fogo|fumaca|' when s < 3000 then '|cruzamento_linha|'
        when s < 3500 then '|invasao|veiculo|' else '|invasao|' end tipos,
      case when i > :total - 500 and s % 2 = 0 then 'pendente' when r % 100 < 93 then 'refutado' else 'confirmado' end
        situacao
      from r)
  insert into incidentes (empresa_id, camera_id, camera_nome, inicio, fim, gravidade, tipos, situacao,
    capa_evento_id, eventos, pendentes, confirmados, refutados, revisados, resposta, nota, atendido_por,
    atendido_em, anunciado_em)
  select empresa, case when empresa = 2 then s % 100 else 100 + empresa * 2 + s % 2 end, 'Portão', em, em,
    case when s = 1 then 'critica' when s < 4000 then 'media' else 'alta' end, tipos, situacao, i, 1,
    situacao = 'pendente', situacao = 'confirmado', situacao = 'refutado', r % 50 = 0,
    case when situacao = 'confirmado' and i < :total - 5000 and s % 10 <> 3 then 'falso' end, null, 'rui', em, em
  from e`
