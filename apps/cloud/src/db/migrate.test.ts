import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LongStep } from '@vigia/runtime/heartbeat'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { type CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { deleteDeadGrants } from '../domains/agentes/oauth/grants-store.ts'
import { issueCode } from '../domains/agentes/oauth/issue-code.ts'
import { operatorCaller } from '../test/clients/operator-caller.ts'
import { seedCamera } from '../test/records/records.ts'
import { migrate } from './migrate.ts'
import { type Database, openDatabase } from './open.ts'
import type { Tables } from './tables.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder('vigia-migrate-')
})
afterEach(() => rmSync(dir, { recursive: true }))

/** The rows of every table of the release before agents and the audit log. */
async function formerRows(db: Database): Promise<Record<string, unknown[]>> {
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  // Migration 0014 splits sessions from their tokens; its own test compares them.
  const former = tables.filter((name) => !['auditoria', 'sessoes'].includes(name) && !name.endsWith('_oauth'))
  const rows = former.map(async (name) => [
    name,
    await db
      .selectFrom(name as 'empresas')
      .selectAll()
      .execute(),
  ])
  return Object.fromEntries(await Promise.all(rows))
}

it('keeps every row of the release before agents, and its logins can authorize agents', async () => {
  const file = join(dir, 'vigia.db')
  const former = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new SqliteDatabase(file) }) })
  await migrate(former, '0005-link-and-outages')
  const { empresaId } = await seedCamera(former)
  const login = {
    username: 'ana',
    username_chave: 'ana',
    senha_hash: 'x',
    papel: 'administrador' as const,
    empresa_id: empresaId,
    criado_em: 1,
  }
  await former.insertInto('usuarios').values(login).execute()
  const before = await formerRows(former)
  await former.destroy()

  await (await openDatabase(file)).destroy()
  const db = await openDatabase(file)
  try {
    // Later releases add columns and remove none.
    expect(await formerRows(db)).toMatchObject(before)
    const client = { client_id: 'c', nome: null, redirect_uris_json: '[]', criado_em: 1, usado_em: null }
    await db.insertInto('clientes_oauth').values(client).execute()
    const autor = { ...operatorCaller, empresaId }
    await issueCode({ tx: db, clock: { now: () => 2 } }, autor, {
      clientId: 'c',
      redirectUri: 'x',
      codeChallenge: 'x',
      state: '',
      escopo: 'mcp',
      recurso: 'x',
    })
    expect(await db.selectFrom('auditoria').select(['acao', 'empresa_id']).execute()).toEqual([
      { acao: 'autorizar', empresa_id: empresaId },
    ])
    await db.deleteFrom('usuarios').where('id', '=', 1).execute()
    expect(await db.selectFrom('codigos_oauth').selectAll().execute()).toEqual([])
    expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([])
  } finally {
    await db.destroy()
  }
})

it('keeps the sessions of the release before renewal: token, host and end, renewable for 12 hours', async () => {
  const file = join(dir, 'vigia.db')
  const former = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new SqliteDatabase(file) }) })
  await migrate(former, '0012-desired-size')
  const hours = 3_600_000
  await sql`
    insert into usuarios (id, username, username_chave, senha_hash, papel, criado_em)
    values (1, 'ana', 'ana', 'x', 'administrador', 1), (2, 'bia', 'bia', 'x', 'administrador', 1)`.execute(former)
  await sql`
    insert into sessoes (token_hash, usuario_id, expira_em, host)
    values ('z', 1, ${9 * hours}, 'a.exemplo'), ('b', 2, ${8 * hours}, null)`.execute(former)
  await former.destroy()
  const db = await openDatabase(file)
  try {
    const rows = await db
      .selectFrom('tokens_sessao as t')
      .innerJoin('sessoes as s', 's.id', 't.sessao_id')
      .select(['t.token_hash', 't.expira_em', 's.usuario_id', 's.host', 's.iniciada_em', 's.renova_ate'])
      .select('s.expira_em as fim')
      .orderBy('t.token_hash')
      .execute()
    expect(rows).toEqual([
      {
        token_hash: 'b',
        expira_em: 8 * hours,
        fim: 8 * hours,
        usuario_id: 2,
        host: null,
        iniciada_em: 7 * hours,
        renova_ate: 19 * hours,
      },
      {
        token_hash: 'z',
        expira_em: 9 * hours,
        fim: 9 * hours,
        usuario_id: 1,
        host: 'a.exemplo',
        iniciada_em: 8 * hours,
        renova_ate: 20 * hours,
      },
    ])
    await db.deleteFrom('usuarios').where('id', '=', 1).execute()
    expect(await db.selectFrom('tokens_sessao').select('token_hash').execute()).toEqual([{ token_hash: 'b' }])
  } finally {
    await db.destroy()
  }
})

it('finds expired tokens of agents through an index', async () => {
  const sqlite = new SqliteDatabase(':memory:')
  const ran: CompiledQuery[] = []
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: sqlite }),
    log: ({ query }) => {
      ran.push(query)
    },
  })
  try {
    await migrate(db)
    ran.length = 0
    await deleteDeadGrants(db, 1)
    const steps = ran.flatMap(({ sql, parameters }) =>
      sqlite.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(...parameters),
    )
    const read = steps.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN'))
    // These tables stay small: a login has at most ten consents, and one row for each authorization.
    expect(read).toEqual(['SCAN consentimentos_oauth', 'SCAN autorizacoes_oauth'])
  } finally {
    await db.destroy()
  }
})

it('announces each migration before it runs, and none on a current database', async () => {
  const file = join(dir, 'vigia.db')
  const announced: string[] = []
  const step: LongStep = async (name, longestMs, run) => {
    announced.push(`${name} ${longestMs / 60_000} min`)
    return await run()
  }
  await (await openDatabase(file, { step })).destroy()
  expect(announced.slice(0, 3)).toEqual([
    'migrações 60 min',
    'migração 0001-initial-schema 60 min',
    'migração 0002-recorders-and-channels 60 min',
  ])
  announced.length = 0
  await (await openDatabase(file, { step })).destroy()
  expect(announced).toEqual(['migrações 60 min'])
})

it.each([
  ['no event yet', [], 0],
  [
    'reserved ids and removed events',
    ['delete from eventos where id = 7', "update sqlite_sequence set seq = 90 where name = 'eventos'"],
    90,
  ],
  ['a reservation beyond the counter', ['update lacunas set id_reservado = 500'], 504],
])('starts the counter of event ids above every id ever given: %s', async (_what, changes, last) => {
  const file = join(dir, 'vigia.db')
  const sqlite = new SqliteDatabase(file)
  const former = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  await migrate(former, '0007-seeing')
  await seedCamera(former)
  if (changes.length > 0) {
    sqlite.exec(`insert into eventos (id, uuid, empresa_id, camera_id, camera_nome, edge_id, seq, tipo, gravidade,
      ocorrido_em, recebido_em, relogio_json, confianca, rotulos_json, caixas_json, calibracao_json, instrucoes_json,
      modelo, detalhes_json)
      values (7, 'u', 1, 1, 'P', 1, 9, 'invasao', 'alta', 1, 1, '{}', 1, '[]', '[]', '{}', '[]', 'm', '{}')`)
    sqlite.exec(`insert into lacunas (edge_id, camera_id, de_seq, ate_seq, motivo, registrada_em, id_reservado)
      values (1, 1, 4, 8, 'a_caminho', 1, 2)`)
  }
  for (const change of changes) sqlite.exec(change)
  await former.destroy()
  const db = await openDatabase(file)
  try {
    expect(await db.selectFrom('contador_eventos').selectAll().execute()).toEqual([{ id: 1, ultimo: last }])
  } finally {
    await db.destroy()
  }
})
