import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase, testPlace } from '../../../test/clouds/template.ts'
import { insertEmpresa } from '../../pessoas/empresas/store.ts'

let dir: string
let db: Database
beforeEach(async () => {
  dir = temporaryFolder('vigia-gravadores-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const base = { nome: 'E', fuso_horario: 'America/Sao_Paulo', criada_em: 0 }

/**
 * Registers `count` gravadores with two cameras each in two concurrent processes, each for its Empresa; returns the
 * results.
 */
async function registerInBoth(first: number, second: number, count: number): Promise<(number | string)[][]> {
  const key = randomBytes(32).toString('hex')
  const entry = new URL('../../../test/programs/plug-recorders.ts', import.meta.url).href
  const place = await testPlace(join(dir, 'vigia.db'))
  const start = (id: number, way: string) => startProgram({ entry, args: [place, key, String(id), way, String(count)] })
  const programs = await Promise.all([start(first, '1'), start(second, '-1')])
  await db.updateTable('empresas').set({ nome: 'vai' }).execute()
  for (const { exited } of programs) expect(await exited).toMatchObject({ code: 0 })
  return programs.map((program) => JSON.parse(program.output()) as (number | string)[])
}

it('registers no canal twice and respects the quota with two processes', async () => {
  const { id } = await insertEmpresa(db, { ...base, empresa_pai_id: null, limite_cameras: 100 })
  const outcomes = await registerInBoth(id, id, 60)

  // Each gravador exists once: created by one process, found by the other, or refused by both above the quota.
  const pairs = Array.from({ length: 60 }, (_, i) =>
    outcomes
      .map((of) => of[i])
      .toSorted()
      .join(),
  )
  expect(pairs.toSorted()).toEqual([...Array(50).fill('0,2'), ...Array(10).fill('conflito,conflito')])
  const rows = await db.selectFrom('cameras').select(['gravador_id', 'canal']).execute()
  expect([rows.length, new Set(rows.map(({ gravador_id, canal }) => `${gravador_id}/${canal}`)).size]).toEqual([
    100, 100,
  ])
})

it('respects the limit of the parent when each process writes for a different child', async () => {
  const { id: empresa_pai_id } = await insertEmpresa(db, { ...base, empresa_pai_id: null, limite_cameras: 30 })
  const below = { ...base, empresa_pai_id, limite_cameras: 30 }
  const [first, second] = [await insertEmpresa(db, below), await insertEmpresa(db, below)]
  const outcomes = await registerInBoth(first.id, second.id, 20)

  const registered = outcomes.flat().filter((outcome) => outcome === 2)
  expect([registered.length, outcomes.flat().filter((outcome) => outcome === 'conflito').length]).toEqual([15, 25])
  expect((await db.selectFrom('cameras').select('id').execute()).length).toBe(30)
})
