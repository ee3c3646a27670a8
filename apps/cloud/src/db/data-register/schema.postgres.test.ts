import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/clouds/template.ts'
import { postgresTables } from '../../test/walks/other-data.ts'
import type { Database } from '../open.ts'
import { isPostgres } from '../postgres-dialect.ts'
import { entries } from './data-register.ts'

let dir: string
let db: Database

beforeAll(async () => {
  dir = temporaryFolder('vigia-register-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
})
afterAll(async () => {
  await db?.destroy()
  await rm(dir, { recursive: true, force: true })
})

it('has exactly the tables of the schema on PostgreSQL', async () => {
  expect(isPostgres(db)).toBe(true)
  const tables = await db.introspection.getTables()
  expect(tables.map(({ name }) => name).sort()).toEqual([...entries.map(([name]) => name), ...postgresTables].sort())
})
