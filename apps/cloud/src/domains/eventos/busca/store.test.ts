import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tables } from '../../../db/tables.ts'
import { fillEvents, SUBTREE } from '../../../test/stores/million-events-store.ts'
import { fillStep } from './fill-store.ts'
import { searchIds } from './search.ts'
import { eventoMatches, recordBounds } from './store.ts'

/** More than one page may examine of a frequent word. */
const TOTAL = 15_000
let dir: string
let sqlite: SqliteDatabase.Database
let db: Kysely<Tables>

beforeAll(async () => {
  dir = temporaryFolder('vigia-busca-')
  await fillEvents(join(dir, 'vigia.db'), TOTAL)
  sqlite = new SqliteDatabase(join(dir, 'vigia.db'))
  sqlite.pragma('synchronous = OFF')
  db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  while (await fillStep(db));
})
afterAll(async () => {
  await db?.destroy()
  await rm(dir, { recursive: true, force: true })
})

type Query = Parameters<typeof eventoMatches>[0]

/** The ids of all pages, and the largest page. */
async function pages(empresas: readonly number[] | null, query: Query) {
  const period = { desde: undefined, ate: undefined }
  const search = { alvo: 'eventos', empresas, hours: null, matches: eventoMatches(query, period) } as const
  const bounds = await recordBounds(db, 'eventos')
  const ids: number[] = []
  const lengths: number[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await searchIds(db, { ...query, cursor: cursor ?? undefined }, search, bounds)
    ids.push(...page.ids)
    lengths.push(page.ids.length)
    cursor = page.proximo
  }
  return { ids, lengths }
}

it.each([
  ['a word of every event', { texto: 'portao' }, () => true],
  ['the beginning of it in another language', { texto: 'PESS' }, () => true],
  ['a rare word', { texto: 'fogo' }, ({ tipo }) => tipo === 'fogo'],
  ['two words of every event', { texto: 'person portao' }, () => true],
  ['words that no event has together', { texto: 'invasao veiculo' }, () => false],
  ['a frequent word of a camera', { texto: 'pess', camera_id: 21 }, ({ camera_id }) => camera_id === 21],
  ['a filter that few match', { texto: 'port', gravidade: 'critica' }, ({ gravidade }) => gravidade === 'critica'],
  ['a verdict', { texto: 'invas', veredito: 'pendente' }, (e) => e.tipo === 'invasao' && e.veredito_decisao === null],
] as [string, Partial<Query>, (event: Record<string, unknown>) => boolean][])(
  'finds each event once, newest first: %s',
  async (_, query, fits) => {
    const rows = sqlite.prepare('select * from eventos order by id desc').all() as Record<string, unknown>[]
    for (const empresas of [null, SUBTREE, [2]]) {
      const expected = rows.filter((row) => fits(row) && (empresas?.includes(Number(row.empresa_id)) ?? true))
      const found = await pages(empresas, { limit: 200, ...query })
      expect(found.ids).toEqual(expected.map(({ id }) => id))
      expect(Math.max(...found.lengths)).toBeLessThanOrEqual(200)
    }
  },
  60_000,
)

it('ends a page without results after a bounded number of records', async () => {
  const { lengths } = await pages(null, { limit: 200, texto: 'portao', veredito: 'confirmado', gravidade: 'critica' })
  expect(lengths.length).toBeGreaterThan(1)
})
