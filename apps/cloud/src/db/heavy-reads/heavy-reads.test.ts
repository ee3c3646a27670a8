import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from '../open.ts'
import { createHeavyReads, HEAVY_READS, type HeavyReads } from './heavy-reads.ts'

/** The worker is a part of SQLite, also where other tests use PostgreSQL. */
let opened: { readonly db: Database; readonly dir: string; readonly file: string }
let reads: HeavyReads
const use = (limits = HEAVY_READS) => {
  reads = createHeavyReads({ db: opened.db, file: opened.file, limits })
  return reads
}
beforeEach(async () => {
  const dir = temporaryFolder('vigia-leituras-')
  const file = join(dir, 'vigia.db')
  opened = { dir, file, db: await openDatabase(file) }
  const empresa = { fuso_horario: 'America/Sao_Paulo', limite_cameras: 9, criada_em: 1 }
  const row = (id: number, empresa_pai_id: number | null) => ({ ...empresa, id, nome: `E${id}`, empresa_pai_id })
  await opened.db
    .insertInto('empresas')
    .values([row(1, null), row(2, 1), row(3, null)])
    .execute()
})
afterEach(async () => {
  await reads.stop()
  await opened.db.destroy()
  await rm(opened.dir, { recursive: true })
})

const count = (n: number) => (db: Database) =>
  sql<{ n: number }>`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${n})
    select count(*) as n from n`
    .execute(db)
    .then(({ rows }) => rows[0]?.n)

it('runs a long statement without the main thread, and sees committed rows', async () => {
  use()
  const before = process.threadCpuUsage()
  expect(await reads.run({ empresaId: 1 }, null, count(2_000_000))).toBe(2_000_000)
  const { user, system } = process.threadCpuUsage(before)
  // The statement takes some hundred ms of the worker's thread.
  expect((user + system) / 1_000).toBeLessThan(100)
  const names = await reads.run({ empresaId: null }, null, (db) =>
    db.selectFrom('empresas').select('nome').where('id', 'in', [3]).execute(),
  )
  expect(names).toEqual([{ nome: 'E3' }])
})

it('cannot write', async () => {
  use()
  const write = reads.run({ empresaId: 1 }, null, (db) => db.deleteFrom('empresas').execute())
  await expect(write).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
})

it('runs one at a time of each root, and another root passes', async () => {
  use()
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const task = (name: string) => async () => {
    order.push(name)
    await new Promise<void>((resolve) => ends.set(name, resolve))
  }
  const done = [
    reads.run({ empresaId: 1 }, null, task('a')),
    reads.run({ empresaId: 2 }, null, task('below a')),
    reads.run({ empresaId: 3 }, null, task('b')),
  ]
  while (order.length < 2) await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['a', 'b'])
  ends.get('a')?.()
  await done[0]
  while (order.length < 3) await new Promise((resolve) => setImmediate(resolve))
  for (const end of ends.values()) end()
  await Promise.all(done)
})

it('refuses a root with too many waiting reads', async () => {
  use({ ...HEAVY_READS, waiting: 1 })
  const gate = Promise.withResolvers<void>()
  const first = reads.run({ empresaId: 1 }, null, () => gate.promise)
  await new Promise((resolve) => setImmediate(resolve))
  const second = reads.run({ empresaId: 1 }, null, async () => 2)
  await expect(reads.run({ empresaId: 1 }, null, async () => 3)).rejects.toMatchObject({ code: 'indisponivel' })
  gate.resolve()
  await first
  expect(await second).toBe(2)
})

it('ends a read above its time, and the next one gets a new worker', async () => {
  use({ ...HEAVY_READS, longestMs: 20 })
  await expect(reads.run({ empresaId: 1 }, null, count(3_000_000))).rejects.toMatchObject({
    code: 'indisponivel',
    detalhe: expect.stringContaining('tempo demais'),
  })
  await reads.stop()
  use()
  expect(await reads.run({ empresaId: 1 }, null, count(3))).toBe(3)
})

it('answers a client that went away', async () => {
  use()
  const gone = new AbortController()
  const answer = reads.run({ empresaId: 1 }, gone.signal, count(1_000_000))
  await new Promise((resolve) => setImmediate(resolve))
  gone.abort(new Error('gone'))
  await expect(answer).rejects.toThrow('gone')
  expect(await reads.run({ empresaId: 1 }, null, count(3))).toBe(3)
})

it('refuses more rows than an answer has', async () => {
  use()
  const many = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000) select i from n`
  await expect(reads.run({ empresaId: 1 }, null, (db) => many.execute(db))).rejects.toThrow('more than 100000 rows')
})

it('starts a worker again that has died', async () => {
  const later = join(opened.dir, 'later.db')
  reads = createHeavyReads({ db: opened.db, file: later })
  // Without the file the thread ends with an error.
  await expect(reads.run({ empresaId: 1 }, null, count(3))).rejects.toMatchObject({
    code: 'indisponivel',
    detalhe: expect.stringContaining('parou'),
  })
  await copyFile(opened.file, later)
  expect(await reads.run({ empresaId: 1 }, null, count(3))).toBe(3)
})
