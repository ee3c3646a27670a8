import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { emptyDatabaseUrl } from '@vigia/testing/test-databases'
import SqliteDatabase from 'better-sqlite3'
import { type Dialect, Kysely, SqliteDialect, sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrate, migrationNames } from '../migrate.ts'
import { CloudPostgresDialect, createPool } from '../postgres-dialect.ts'
import type { Tables } from '../tables.ts'

const dialects: Readonly<Record<string, (dir: string) => Promise<Dialect>>> = {
  SQLite: async (dir) => new SqliteDialect({ database: new SqliteDatabase(join(dir, 'vigia.db')) }),
  PostgreSQL: async (dir) =>
    new CloudPostgresDialect(
      createPool({ url: await emptyDatabaseUrl(join(dir, 'postgres')), maxConnections: 1, onIdleError: () => {} }),
    ),
}

const BEFORE = migrationNames[migrationNames.indexOf('0090-placas-um-estado') - 1] ?? ''
const NIGHT = '{"inicio":22,"fim":6,"dias":[]}'

it.each(Object.keys(dialects))('%s: the plates of each camera follow what its edge read', async (name) => {
  const dir = temporaryFolder('vigplates-ias-')
  const db = new Kysely<Tables>({ dialect: (await dialects[name]?.(dir)) as Dialect })
  try {
    await migrate(db, BEFORE)
    await sql`insert into empresas (id, nome, fuso_horario, limite_cameras, criada_em)
      values (1, 'Mercado', 'America/Sao_Paulo', 9, 1)`.execute(db)
    const add = (id: number, ias: string, plates: string | null, agenda = '{}') =>
      sql`insert into cameras (id, empresa_id, nome, rtsp_url, rtsp_url_cifrada, eventos_habilitados_json,
          config_ia_json, zonas_json, linha_json, agenda_json, ativa, modo_b_config_json, instrucoes_json,
          criada_em, atualizada_em)
        values (${id}, 1, 'C', '', '', ${ias}, '{}', '[]', '[]', ${agenda}, 1, ${plates}, '[]', 1, 7)`.execute(db)
    await add(1, '["invasao","placa"]', null)
    await add(2, '["invasao"]', '{"ativo":true,"local":"Garagem"}')
    await add(3, '["placa","fogo"]', '{"ativo":true}', `{"placa":${NIGHT},"fogo":${NIGHT}}`)
    await add(4, '["placa"]', '{"ativo":false}')
    await add(5, '["fogo"]', null, `{"fogo":${NIGHT}}`)
    await migrate(db)
    const columns = ['id', 'eventos_habilitados_json', 'modo_b_config_json', 'agenda_json', 'horarios_json'] as const
    const rows = await db.selectFrom('cameras').select(columns).orderBy('id').execute()
    expect(rows.map((row) => Object.values(row).slice(1))).toEqual([
      ['["invasao"]', null, '{}', '{}'],
      ['["invasao","placa"]', '{"ativo":true,"local":"Garagem"}', '{}', '{}'],
      ['["placa","fogo"]', '{"ativo":true}', `{"fogo":${NIGHT}}`, '{}'],
      ['[]', '{"ativo":false}', '{}', '{}'],
      ['["fogo"]', null, `{"fogo":${NIGHT}}`, '{}'],
    ])
    expect(await db.selectFrom('empresas').select('feriados_json').execute()).toEqual([{ feriados_json: '[]' }])
  } finally {
    await db.destroy()
    rmSync(dir, { recursive: true })
  }
})
