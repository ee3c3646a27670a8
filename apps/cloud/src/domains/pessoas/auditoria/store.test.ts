import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditChange } from '../../../audit/audit-change.ts'
import { type Database, openDatabase } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import { operatorCaller } from '../../../test/clients/operator-caller.ts'
import { type RecordFilter, recordsOf } from './store.ts'

let dir: string
let sqlite: SqliteDatabase.Database
let db: Database
/** The executed statements with their parameters. */
const ran: { readonly sql: string; readonly parameters: readonly unknown[] }[] = []
const SUBTREE = Array.from({ length: 200 }, (_, i) => i + 1)
const TOTAL = 2000

beforeAll(async () => {
  dir = temporaryFolder('vigia-auditoria-')
  const file = join(dir, 'vigia.db')
  const made = await openDatabase(file)
  await made.transaction().execute(async (tx) => {
    for (let n = 1; n <= TOTAL; n += 1)
      await auditChange(tx, n * 1000, operatorCaller, {
        acao: 'criar',
        objeto: 'camera',
        id: n % 50,
        nome: 'Doca',
        empresaId: n % 10 === 0 ? null : n % 7,
        antes: null,
        depois: { nome: 'Doca' },
      })
  })
  await made.destroy()
  sqlite = new SqliteDatabase(file)
  db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: sqlite }),
    log: ({ query }) => {
      ran.push(query)
    },
  })
})
afterAll(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const filter = (change: Partial<RecordFilter>): RecordFilter => ({
  empresas: null,
  usuarioId: undefined,
  objeto: undefined,
  objetoId: undefined,
  acao: undefined,
  canal: undefined,
  desde: undefined,
  ate: undefined,
  ...change,
})
/** @param at position among the statements, from the last on */
function plan(at = -1): string[] {
  const { sql = '', parameters = [] } = ran.at(at) ?? {}
  const steps = sqlite.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
  return steps.map(({ detail }) => detail)
}
/** The last statement of a page reads the rows of the ids that the one before has chosen. */
const IDS = -2

describe('the database itself', () => {
  it.each([
    "update auditoria set username = 'outro' where id = 1",
    'update auditoria set em = em + 1',
    'delete from auditoria where id = 1',
    'delete from auditoria',
    "insert or replace into auditoria (id, em, canal, acao, objeto) values (1, 1, 'sistema', 'criar', 'camera')",
  ])('refuses %s', (statement) => {
    expect(() => sqlite.exec(statement)).toThrow('append-only')
    expect(sqlite.prepare('select count(*) n from auditoria where username = ?').get('admin')).toEqual({ n: TOTAL })
  })
})

describe('a page', () => {
  it.each([
    ['an Empresa', { empresas: [3] }],
    ['an Empresa, by time', { empresas: [3], desde: 5000, ate: 90_000 }],
    ['a scope, by what was done and by which door', { empresas: SUBTREE, acao: 'criar', canal: 'api' }],
  ] as const)('of %s is counted with the index only', async (_name, change) => {
    await recordsOf(db, filter(change)).count()
    expect(plan()).toEqual([
      expect.stringMatching(/^SEARCH auditoria USING COVERING INDEX auditoria_empresa \(empresa_id=/),
    ])
  })

  it('of all Empresas is counted and read newest first without sorting', async () => {
    await recordsOf(db, filter({ desde: 5000 })).count()
    expect(plan()).toEqual(['SEARCH auditoria USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'])
    await recordsOf(db, filter({})).read({ before: 900, limit: 51, offset: 0 })
    expect(plan(IDS)).toEqual(['SEARCH auditoria USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'])
  })

  it.each([
    ['one Empresa', { empresas: [3] }, 'auditoria_empresa (empresa_id=? AND id>? AND id<?)'],
    ['one login', { usuarioId: 1 }, 'auditoria_usuario (usuario_id=? AND id>? AND id<?)'],
    ['one record', { objeto: 'camera', objetoId: 7 }, 'auditoria_objeto (objeto=? AND objeto_id=? AND id>? AND id<?)'],
  ] as const)('of %s is read from its index in order', async (_name, change, index) => {
    const rows = await recordsOf(db, filter(change)).read({ before: 900, limit: 51, offset: 0 })
    expect(rows.length).toBeGreaterThan(10)
    expect(plan(IDS)).toEqual([expect.stringMatching(/^SEARCH auditoria USING (COVERING )?INDEX /)])
    expect(plan(IDS)[0]).toContain(index)
  })
})
