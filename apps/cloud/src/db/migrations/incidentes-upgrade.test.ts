import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { expect, it } from 'vitest'
import { seedCamera } from '../../test/records/records.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import type { Tables } from '../tables.ts'

it('keeps events, alert lines, logins and sessions of the release before incidentes', async () => {
  const dir = temporaryFolder('vigia-incidentes-')
  const file = join(dir, 'vigia.db')
  const sqlite = new SqliteDatabase(file)
  sqlite.pragma('foreign_keys = ON')
  const former = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  await migrate(former, '0012-desired-size')
  await seedCamera(former)
  sqlite.exec(`insert into eventos (id, uuid, empresa_id, camera_id, camera_nome, edge_id, seq, tipo, gravidade,
      ocorrido_em, recebido_em, relogio_json, confianca, rotulos_json, caixas_json, calibracao_json, instrucoes_json,
      modelo, detalhes_json)
      values (7, 'u', 1, 1, 'P', 1, 9, 'invasao', 'alta', 1, 1, '{}', 1, '[]', '[]', '{}', '[]', 'm', '{}');
    insert into alertas (seq, evento_id, tipo, criado_em) values (41, 7, 'evento', 1), (42, 7, 'alerta', 2);
    insert into usuarios (id, username, username_chave, senha_hash, papel, empresa_id, criado_em)
      values (1, 'ana', 'ana', 'x', 'administrador', 1, 1), (2, 'rui', 'rui', 'x', 'usuario', 1, 1);
    insert into sessoes (token_hash, usuario_id, expira_em) values ('t', 2, 9)`)
  await former.destroy()

  const db = await openDatabase(file)
  try {
    expect(await db.selectFrom('eventos').select(['id', 'incidente_id', 'trilha']).execute()).toEqual([
      { id: 7, incidente_id: null, trilha: null },
    ])
    const line = { evento_id: 7, incidente_id: null, sessao_id: null, outra_sessao_id: null }
    expect(await db.selectFrom('alertas').selectAll().orderBy('seq').execute()).toEqual([
      { ...line, seq: 41, tipo: 'evento', criado_em: 1 },
      { ...line, seq: 42, tipo: 'alerta', criado_em: 2 },
    ])
    expect(await db.selectFrom('usuarios').select(['username', 'papel']).orderBy('id').execute()).toEqual([
      { username: 'ana', papel: 'administrador' },
      { username: 'rui', papel: 'usuario' },
    ])
    expect(await db.selectFrom('tokens_sessao').select('token_hash').execute()).toEqual([{ token_hash: 't' }])

    await db.updateTable('usuarios').set({ papel: 'vigilante' }).where('id', '=', 2).execute()
    const unknown = db
      .updateTable('usuarios')
      .set({ papel: 'outro' as 'usuario' })
      .execute()
    await expect(unknown).rejects.toThrow('CHECK constraint failed')
    const next = { evento_id: 7, tipo: 'incidente', incidente_id: 1, criado_em: 3 } as const
    const { seq } = await db.insertInto('alertas').values(next).returning('seq').executeTakeFirstOrThrow()
    expect(seq).toBe(43)
    expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([])
  } finally {
    await db.destroy()
    rmSync(dir, { recursive: true })
  }
})
