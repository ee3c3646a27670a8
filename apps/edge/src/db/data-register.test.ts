import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect, it } from 'vitest'
import { edgeDataRegister } from '../testing/data-register.ts'
import { openEdgeDb } from './edge-db.ts'

it('has exactly the tables of edge.db', async () => {
  const dir = temporaryFolder('vigia-edge-register-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  const named = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name"
  expect(opened.db.prepare(named).pluck().all()).toEqual(Object.keys(edgeDataRegister).sort())
  opened.db.close()
  await rm(dir, { recursive: true, force: true })
})
