import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ownLineage } from '@vigia/link/edge-lineage'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedActivatedEdge, seedCamera } from '../../../test/records/records.ts'
import { createEdgeLineages } from './edge-lineages.ts'

let dir: string
let db: Database
let edge: number
let below: number
let root: number
let child: number

beforeEach(async () => {
  dir = temporaryFolder('vigia-lineages-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  ;({ empresaId: root, edgeId: edge } = await seedCamera(db))
  const { empresaId } = await seedCamera(db)
  child = empresaId
  await db.updateTable('empresas').set({ empresa_pai_id: root }).where('id', '=', child).execute()
  below = await seedActivatedEdge(db, child)
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})
const lineages = () => createEdgeLineages({ db, log: createMemoryLog() as never })

it('knows the Empresa and the root of each edge', async () => {
  const known = lineages()
  await known.start()
  expect(known.of(edge)).toEqual({ root: `raiz-${root}`, empresa: `empresa-${root}`, edge: `edge-${edge}` })
  expect(known.of(below)).toEqual({ root: `raiz-${root}`, empresa: `empresa-${child}`, edge: `edge-${below}` })
})

it('reads an edge that is new; until then all new ones share one root', async () => {
  const known = lineages()
  expect([known.of(below).root, known.of(999_999).root]).toEqual(['novos', 'novos'])
  await expect.poll(() => known.of(below).empresa).toBe(`empresa-${child}`)
  await expect.poll(() => known.of(999_999)).toEqual(ownLineage(999_999))
})

it('an edge of several Empresas is its own root', async () => {
  await db.updateTable('edges').set({ empresa_id: null, local: 1 }).where('id', '=', below).execute()
  const known = lineages()
  await known.start()
  expect(known.of(below)).toEqual(ownLineage(below))
})
