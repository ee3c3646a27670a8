import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countPeriod, listPeriod } from '../domains/eventos/exportacao/store.ts'
import { countQuarters } from '../domains/eventos/relatorios/store.ts'
import { countEventos, listEventosIn } from '../domains/operacao/retencao/apagamentos/period-store.ts'
import { openDatabase } from './open.ts'
import type { Tables } from './tables.ts'

/** Plans of the executed statements. */
const plans: string[] = []
let db: Kysely<Tables>
beforeAll(async () => {
  const file = join(temporaryFolder('vigia-periodo-'), 'vigia.db')
  await (await openDatabase(file)).destroy()
  const sqlite = new SqliteDatabase(file)
  db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: sqlite }),
    log: ({ query: { sql, parameters } }) => {
      const steps = sqlite.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
      plans.push(...steps.map(({ detail }) => detail))
    },
  })
})
afterAll(() => db.destroy())

const span = { desde: 1_000_000, ate: 2_000_000 }
const periodo = { empresaId: 2, cameras: null, inicio: span.desde, fim: span.ate }
const alvo = { ...periodo, placa: null }
it.each([
  ['a report of many Empresas', () => countQuarters(db, { ...span, empresas: [2, 3, 4], cameraId: undefined })],
  ['a report of one Empresa', () => countQuarters(db, { ...span, empresas: [2], cameraId: undefined })],
  ['an export', () => listPeriod(db, periodo, 10)],
  ['the size of an export', () => countPeriod(db, periodo)],
  ['a deletion', () => listEventosIn(db, alvo, null, 10)],
  ['the next page of a deletion', () => listEventosIn(db, alvo, { id: 7, ocorrido_em: 1_500_000 }, 10)],
  ['the preview of a deletion', () => countEventos(db, alvo, 0)],
])('%s reads the events of the period only', async (_, read) => {
  plans.length = 0
  await read()
  const reads = plans.filter((detail) => /^(SCAN|SEARCH) eventos .*(empresa|ocorrido_em)/.test(detail))
  expect(reads).not.toEqual([])
  for (const detail of reads)
    expect(detail).toMatch(
      /^SEARCH eventos USING (COVERING )?INDEX eventos_(periodo|prova) \(ocorrido_em>\? AND ocorrido_em<\?\)/,
    )
})
