import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { emptyDatabaseUrl } from '@vigia/testing/test-databases'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seedCamera } from '../../test/records/records.ts'
import { DataError } from '../errors.ts'
import { migrationNames } from '../migrate.ts'
import { type Database, openDatabase } from '../open.ts'
import { openSource } from './open-source.ts'
import { isUsed, openTarget } from './open-target.ts'
import type { RowSource, RowTarget } from './rows.ts'
import { describeTables, type TableSchema } from './schema.ts'
import { sumTables, verifyTables } from './verify-tables.ts'

let dir: string
let tables: readonly TableSchema[]
beforeEach(async () => {
  dir = temporaryFolder('vigia-transferencia-')
  tables = await describeTables()
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const silent = { begin: () => {}, add: () => {} }
const last = migrationNames.at(-1) ?? ''
const options = (place: string, origin = 'a') => ({ place, tables, last, origin, action: 'vigia migrar' })
/** A database without rows of each kind. */
const databases = { SQLite: async (name: string) => join(dir, name, 'vigia.db'), PostgreSQL: emptyDatabaseUrl }
const placeOf = (kind: keyof typeof databases, name: string) =>
  databases[kind](kind === 'SQLite' ? name : join(dir, name))

const ROWS = 2_345

/** Values at the limits of their types, more rows than a page, and a deleted row with the highest number. */
async function fill(db: Database): Promise<void> {
  const { empresaId, cameraId } = await seedCamera(db)
  const child = {
    nome: 'Ação “–” \n\t\\ 🔥 \u{10FFFF}',
    empresa_pai_id: empresaId,
    fuso_horario: 'x',
    criada_em: 2 ** 52,
  }
  await db
    .insertInto('empresas')
    .values({ ...child, limite_cameras: 0 })
    .execute()
  const place = { empresa_id: empresaId, camera_id: cameraId }
  for (const fps of [0.1 + 0.2, 1e-9, 123456.789, 0]) {
    const other = await seedCamera(db)
    await db.updateTable('cameras').set({ fps }).where('id', '=', other.cameraId).execute()
  }
  const quedas = Array.from({ length: ROWS }, (_, i) => ({
    ...place,
    edge_id: 1,
    nome: `Portão ${i}`,
    inicio: i,
    fim: i % 2 === 0 ? null : i + 1,
    motivo: 'video_parado' as const,
  }))
  for (let at = 0; at < ROWS; at += 100)
    await db
      .insertInto('quedas')
      .values(quedas.slice(at, at + 100).map((row) => ({ ...row, fim: row.fim ?? 1 })))
      .execute()
  await db.deleteFrom('quedas').where('id', '=', ROWS).execute()
}

async function copy(source: RowSource, target: RowTarget): Promise<void> {
  for (const table of tables) {
    let stored = await target.stored(table)
    for await (const page of source.pages(table, stored)) {
      await target.insert(table, page, stored)
      stored += page.length
    }
    await target.setCounter(table, await source.counter(table))
  }
}

const sums = (source: RowSource) => sumTables({ source, tables, label: '', progress: silent })

describe.each([
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
  ['PostgreSQL', 'PostgreSQL'],
  ['SQLite', 'SQLite'],
] as const)('from %s to %s', (from, to) => {
  it('keeps every value, and the next number of a row', async () => {
    const [was, is] = [await placeOf(from, 'de'), await placeOf(to, 'para')]
    const db = await openDatabase(was)
    await fill(db)
    await db.destroy()
    const source = await openSource(was)
    const expected = await sums(source)
    expect(expected.get('quedas')?.rows).toBe(ROWS - 1)
    expect(expected.get('alertas')?.rows).toBe(0)
    expect(await isUsed(is, tables)).toBe(false)
    const target = await openTarget(options(is))
    await copy(source, target)
    await verifyTables({ target, tables, expected, progress: silent })
    await target.finish()
    await target.close()
    await source.close()
    expect(await isUsed(is, tables)).toBe(true)

    const opened = await openDatabase(is)
    const row = {
      empresa_id: 1,
      camera_id: null,
      edge_id: 1,
      nome: 'x',
      inicio: 1,
      fim: 2,
      motivo: 'x' as 'video_parado',
    }
    const { id } = await opened.insertInto('quedas').values(row).returning('id').executeTakeFirstOrThrow()
    expect(id).toBe(ROWS + 1)
    await opened.destroy()
  })

  it('reports a row that differs', async () => {
    const [was, is] = [await placeOf(from, 'de'), await placeOf(to, 'para')]
    const db = await openDatabase(was)
    await fill(db)
    const source = await openSource(was)
    const target = await openTarget(options(is))
    await copy(source, target)
    await source.close()
    await db.updateTable('quedas').set({ inicio: 99_999 }).where('id', '=', 7).execute()
    await db.destroy()
    const later = await openSource(was)
    const expected = await sums(later)
    await later.close()
    await expect(verifyTables({ target, tables, expected, progress: silent })).rejects.toThrow(/quedas \(2344 → 2344\)/)
    await target.close()
  })
})

it.each(['SQLite', 'PostgreSQL'] as const)('reads one state of %s while rows change', async (kind) => {
  const place = await placeOf(kind, 'de')
  const db = await openDatabase(place)
  await fill(db)
  const source = await openSource(place)
  const other = await openSource(place)
  const expected = await sums(other)
  await other.close()
  await db.updateTable('quedas').set({ nome: 'depois' }).where('id', '>', 1_500).execute()
  expect(await sums(source)).toEqual(expected)
  await source.close()
  await db.destroy()
})

describe('on PostgreSQL', () => {
  it('continues an unfinished move of the same origin only, and the service refuses it', async () => {
    const was = await placeOf('SQLite', 'de')
    const db = await openDatabase(was)
    await fill(db)
    await db.destroy()
    const is = await placeOf('PostgreSQL', 'para')
    const source = await openSource(was)
    const quedas = tables.find(({ name }) => name === 'quedas') as TableSchema
    const first = await openTarget(options(is))
    expect(first.resumed).toBe(false)
    for (const table of tables) {
      for await (const page of source.pages(table, 0)) {
        await first.insert(table, page, 0)
        break
      }
    }
    await first.close()
    await expect(openDatabase(is)).rejects.toThrow(/não terminou/)
    await expect(openTarget(options(is, 'b'))).rejects.toThrow(/inacabada de outra origem/)
    const second = await openTarget(options(is))
    expect(second.resumed).toBe(true)
    expect(await second.stored(quedas)).toBe(1_000)
    await copy(source, second)
    await verifyTables({ target: second, tables, expected: await sums(source), progress: silent })
    await second.finish()
    await second.close()
    await source.close()
    await expect(openTarget(options(is))).rejects.toThrow(DataError)
    await (await openDatabase(is)).destroy()
  })

  it('names the table of a value that it cannot hold', async () => {
    const was = await placeOf('SQLite', 'de')
    const db = await openDatabase(was)
    const { empresaId } = await seedCamera(db)
    await db.updateTable('empresas').set({ nome: 'a\u0000b' }).where('id', '=', empresaId).execute()
    await db.destroy()
    const source = await openSource(was)
    const target = await openTarget(options(await placeOf('PostgreSQL', 'para')))
    await expect(copy(source, target)).rejects.toThrow(/A tabela empresas tem um valor que o PostgreSQL não guarda/)
    await target.close()
    await source.close()
  })
})
