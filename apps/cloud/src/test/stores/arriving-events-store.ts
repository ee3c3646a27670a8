import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate } from '../../db/migrate.ts'
import type { Tables } from '../../db/tables.ts'

/** A database in memory with eventos of Empresa 1 and their counts, from pairs `[day, count]` in order of arrival. */
export async function openWithArrivals(batches: readonly (readonly [number, number])[]): Promise<Kysely<Tables>> {
  const sqlite = new SqliteDatabase(':memory:')
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  await migrate(db, '0002-recorders-and-channels')
  sqlite.exec(`insert into empresas (id, nome, fuso_horario, limite_cameras, criada_em)
    values (1, 'E', 'America/Sao_Paulo', 9, 0)`)
  const insert = sqlite.prepare(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < :many)
    insert into eventos (uuid, empresa_id, camera_id, camera_nome, edge_id, seq, tipo, gravidade, ocorrido_em,
      recebido_em, relogio_json, confianca, rotulos_json, caixas_json, calibracao_json, instrucoes_json, modelo,
      detalhes_json)
    select printf('%d-%d', :day, i), 1, 1, 'P', 1, i, 'invasao', 'alta', :day * 86400000 + i, 0, '{}', 0.7, '[]', '[]',
      '{}', '[]', 'm', '{}' from n`)
  for (const [day, many] of batches) insert.run({ day, many })
  await migrate(db)
  return db
}
