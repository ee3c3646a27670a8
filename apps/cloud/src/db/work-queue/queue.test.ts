import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transaction.ts'
import { claimWork, nextDue, readyDue } from './claims.ts'
import { enqueueWork, failWork, finishWork, holdGroup } from './queue.ts'

const EMPRESAS = 3_000
let dir: string
let sqlite: SqliteDatabase.Database
let db: Kysely<Tables>
/** Every executed statement with its parameters. */
const statements = new Map<string, readonly unknown[]>()

beforeAll(async () => {
  dir = temporaryFolder('vigia-trabalhos-')
  sqlite = new SqliteDatabase(join(dir, 'vigia.db'))
  sqlite.pragma('synchronous = OFF')
  db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: sqlite }),
    log: ({ query }) => void statements.set(query.sql, query.parameters),
  })
  await migrate(db)
  sqlite.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${EMPRESAS})
    insert into empresas (id, nome, empresa_pai_id, fuso_horario, limite_cameras, criada_em)
    select i, 'E' || i, case when i > 100 then i % 100 + 1 end, 'America/Sao_Paulo', 9, 1 from n`)
})
afterAll(async () => {
  await db.destroy()
  await rm(dir, { recursive: true })
})

/** Adds waiting work of every state: a third of one Empresa, a quarter deferred, some in one lane. */
const fill = (count: number): void => {
  sqlite.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}),
    w as (select i, case when i % 3 = 0 then 101 else i % ${EMPRESAS} + 1 end e from n)
    insert into trabalhos (tipo, chave, raiz_id, empresa_id, faixa, grupo, prioridade, estado, em, criado_em)
    select case i % 5 when 4 then 'notificacao' else 'verificacao' end, 'c' || i,
      case when e > 100 then e % 100 + 1 else e end, e,
      case i % 5 when 4 then 'email' end, case i % 5 when 4 then 'd' || i % 7 end, i % 8,
      case when i % 5 = 4 then 'atras' when i % 4 = 0 then 'recuo' when i % 4 = 1 then 'parado' else 'pronto' end,
      case when i % 4 < 2 then 4102444800000 + i end, i from w`)
  sqlite.exec(`insert or ignore into turnos_trabalho (tipo, acima, quem, pronto)
    select distinct tipo, 0, raiz_id, 1 from trabalhos
    union select distinct tipo, raiz_id, empresa_id, 1 from trabalhos`)
}

const LONG = 50 * 365 * 86_400_000
let round = 0
/** Runs one round of a worker. */
async function work(): Promise<void> {
  round += 1
  const now = Date.now()
  for (const tipo of ['verificacao', 'notificacao'] as const) {
    await readyDue(db, tipo, now, LONG)
    await nextDue(db, tipo)
    const options = { tipo, posse: `p${round}`, until: now + 30_000, exceptRoots: [5], exceptEmpresas: [7] }
    const claim = await claimWork(db, options)
    await transact(db, async (tx) => {
      const lane = tipo === 'notificacao' ? { faixa: 'email', grupo: `novo${round}` } : {}
      await enqueueWork(tx, [{ tipo, chave: `n${round}`, empresaId: 102, prioridade: 1, ...lane }], now)
      if (claim && round % 2 === 0) await finishWork(tx, claim)
      else if (claim) await failWork(tx, claim, { erro: 'x', now, next: { estado: 'recuo', em: now + 3_600_000 } })
      await holdGroup(tx, { grupo: `novo${round}` }, 'notificacao', now + LONG / 2)
    })
  }
}

async function cpuMs(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
const rounds = async (count: number) => {
  for (let i = 0; i < count; i += 1) await work()
}

it('costs little more with a hundred thousand items than with a thousand and scans no table', async () => {
  fill(1_000)
  await rounds(20)
  const few = Math.min(await cpuMs(() => rounds(30)), await cpuMs(() => rounds(30)))
  sqlite.exec('delete from trabalhos; delete from turnos_trabalho; delete from faixas_trabalho')
  fill(100_000)
  statements.clear()
  await rounds(2)
  const many = Math.min(await cpuMs(() => rounds(30)), await cpuMs(() => rounds(30)))
  process.stdout.write(
    `ms a round: ${(few / 30).toFixed(2)} with 1,000 items, ${(many / 30).toFixed(2)} with 100,000\n`,
  )
  const walked = [...statements].flatMap(([sql, parameters]) =>
    (sqlite.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[])
      .filter(({ detail }) => /^SCAN (?!passo|acima|CONSTANT)|TEMP B-TREE/.test(detail) && !sql.includes('passo'))
      .map(({ detail }) => ({ sql, detail })),
  )
  expect(walked).toEqual([])
  // All Empresas share the e-mail lane, so that its turn costs one step for each.
  expect(many).toBeLessThan(few * 10)
})
