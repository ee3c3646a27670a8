import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { fillScreens } from './fill-store.ts'
import { BUSY_CAMERA, BUSY_EMPRESA, CAMERAS, EMPRESAS } from './sizes.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigia-fill-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('gives every camera, event and queda to one of the Empresas below the integrator, in equal parts', async () => {
  const file = join(folder, 'vigia.db')
  await fillScreens(file, 2_000, Date.UTC(2026, 10, 21), () => {})
  const sqlite = new SqliteDatabase(file, { readonly: true })
  const counts = (table: string) =>
    sqlite.prepare(`select typeof(empresa_id) type, empresa_id id, count(*) n from ${table} group by 1, 2`).all() as {
      readonly type: string
      readonly id: number
      readonly n: number
    }[]
  const below = Array.from({ length: EMPRESAS }, (_, index) => index + 2)
  const cameras = counts('cameras')
  expect(cameras.map(({ id }) => id)).toEqual(below)
  expect(cameras.reduce((sum, { n }) => sum + n, 0)).toBe(CAMERAS)
  expect(cameras.every(({ n }) => Math.abs(n - CAMERAS / EMPRESAS) < 1)).toBe(true)
  expect(counts('quedas').map(({ id }) => id)).toEqual(below)
  expect(counts('eventos').every(({ type, id }) => type === 'integer' && below.includes(id))).toBe(true)
  expect(sqlite.prepare('select empresa_id from cameras where id = ?').pluck().get(BUSY_CAMERA)).toBe(BUSY_EMPRESA)
  sqlite.close()
})
