import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { emptyDatabaseUrl } from '@vigia/testing/test-databases'
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countClasses, countEvents } from '../domains/eventos/eventos/count-store.ts'
import { listIds } from '../domains/eventos/eventos/list-store.ts'
import { fillEvents, SUBTREE } from '../test/stores/million-events-store.ts'
import { allMixes, listPages } from '../test/walks/list-mixes.ts'
import { findEvents } from './eventos.ts'
import { migrationNames } from './migrate.ts'
import { type Database, openDatabase } from './open.ts'
import { CloudPostgresDialect, createPool } from './postgres-dialect.ts'
import type { Tables } from './tables.ts'
import { openTarget } from './transfer/open-target.ts'
import { describeTables } from './transfer/schema.ts'
import { readSqlite } from './transfer/sqlite-rows.ts'

/** `npm run test:postgres` sets a million. Without it the tests are left out: they take a minute. */
const TOTAL = Number(process.env.VIGIA_TEST_EVENTOS ?? 0)
const FILL_MS = 900_000
let dir: string
let sqlite: Database
let postgres: Database
let pool: pg.Pool
/** Every executed statement with its parameters. */
const statements = new Map<string, readonly unknown[]>()
const pages = listPages(TOTAL)

async function prepare() {
  dir = temporaryDiskFolder('vigia-year-')
  const file = join(dir, 'vigia.db')
  await fillEvents(file, TOTAL)
  const url = await emptyDatabaseUrl(join(dir, 'postgres'))
  await copyRows(file, url)
  sqlite = await openDatabase(file, { asIs: true })
  pool = createPool({ url, maxConnections: 1, onIdleError: () => {} })
  postgres = new Kysely<Tables>({
    dialect: new CloudPostgresDialect(pool),
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
    log: ({ query }) => void statements.set(query.sql, query.parameters),
  })
}

/** Copies the events from SQLite, as `vigia migrar` does. */
async function copyRows(file: string, url: string): Promise<void> {
  const tables = await describeTables()
  const last = migrationNames.at(-1) ?? ''
  const [source, target] = [
    readSqlite(file),
    await openTarget({ place: url, tables, last, origin: 'a', action: 'vigia migrar' }),
  ]
  for (const table of tables) {
    let stored = 0
    for await (const page of source.pages(table, 0)) {
      await target.insert(table, page, stored)
      stored += page.length
    }
  }
  await target.finish()
  await target.close()
  await source.close()
}

/** The query plan of a statement, by line. */
async function planOf(sql: string, parameters: readonly unknown[]): Promise<string[]> {
  const { rows } = await pool.query({ text: `explain ${sql}`, values: [...parameters], rowMode: 'array' })
  return (rows as [string][]).map(([line]) => line)
}

const elapsed = async (run: () => Promise<unknown>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i += 1) {
    const begin = performance.now()
    await run()
    best = Math.min(best, performance.now() - begin)
  }
  return best
}

describe.skipIf(TOTAL === 0)(`a year of ${TOTAL} events on PostgreSQL (needs VIGIA_TEST_EVENTOS)`, () => {
  beforeAll(prepare, FILL_MS)
  afterAll(async () => {
    await sqlite?.destroy()
    await postgres?.destroy()
    await rm(dir, { recursive: true, force: true })
  })

  it(
    'are listed and counted as on SQLite',
    async () => {
      const mixes = allMixes()
      for (let i = 0; i < mixes.length; i += 5) {
        const filter = mixes[i]
        if (!filter) continue
        const [expected, counts] = await Promise.all([countEvents(sqlite, filter), countEvents(postgres, filter)])
        expect({ filter, counts }).toEqual({ filter, counts: expected })
        for (const page of pages) {
          const [wanted, ids] = [
            await listIds(sqlite, filter, expected, page),
            await listIds(postgres, filter, counts, page),
          ]
          expect({ filter, page, ids }).toEqual({ filter, page, ids: wanted })
        }
      }
      const classes = async (db: Database) =>
        (await countClasses(db, { empresas: SUBTREE })).map((row) => JSON.stringify(row)).sort()
      expect(await classes(postgres)).toEqual(await classes(sqlite))
    },
    FILL_MS,
  )

  it(
    'are never scanned for any filter',
    async () => {
      statements.clear()
      const scanned: { sql: string; plan: string[] }[] = []
      for (const filter of allMixes()) {
        const counts = await countEvents(postgres, filter)
        for (const page of pages) {
          const ids = await listIds(postgres, filter, counts, page)
          if (ids.length > 0) await findEvents(postgres, ids)
        }
      }
      const executed = [...statements]
      for (const [sql, parameters] of executed) {
        const plan = await planOf(sql, parameters)
        if (plan.some((line) => /Seq Scan on eventos/.test(line))) scanned.push({ sql, plan })
      }
      expect(scanned).toEqual([])
      expect(executed.length).toBeGreaterThan(100)
    },
    FILL_MS,
  )

  it(
    'cost little for every combination of filters',
    async () => {
      const ids = Array.from({ length: 200 }, (_, i) => 1 + ((i * 4999) % TOTAL))
      // A page of 200 whole rows by primary key is the least that a list costs.
      const lookup = await elapsed(() => findEvents(postgres, ids))
      let worst = { ms: 0, what: '' }
      for (const [i, filter] of allMixes().entries()) {
        if (i % 5 !== 0) continue
        const counts = await countEvents(postgres, filter)
        for (const page of pages) {
          const ms = await elapsed(() => listIds(postgres, filter, counts, page))
          if (ms > worst.ms) worst = { ms, what: JSON.stringify({ ...filter, ...page }) }
        }
      }
      const line = `${worst.what}: ${worst.ms.toFixed(1)} ms, ${(worst.ms / lookup).toFixed(1)} look-ups`
      console.log(`worst list of ${TOTAL} events: ${line}`)
      expect(worst.ms, line).toBeLessThan(Math.max(100, 15 * lookup))
    },
    FILL_MS,
  )
})
