import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from '@vigia/testing/program'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../db/open.ts'
import { insertEmpresa } from '../empresas/store.ts'

let dir: string
let db: Database
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vigia-gravadores-'))
  db = await openDatabase(join(dir, 'vigia.db'))
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

it('registers no channel twice and holds the quota, also where two processes write', async () => {
  const empresa = {
    nome: 'E',
    empresa_pai_id: null,
    fuso_horario: 'America/Sao_Paulo',
    limite_cameras: 100,
    criada_em: 0,
  }
  const { id } = await insertEmpresa(db, empresa)
  const args = [join(dir, 'vigia.db'), randomBytes(32).toString('hex'), String(id)]
  const entry = new URL('../../test/plug-recorders.ts', import.meta.url).href
  const programs = await Promise.all(['1', '-1'].map((way) => startProgram({ entry, args: [...args, way] })))
  await db.updateTable('empresas').set({ nome: 'vai' }).where('id', '=', id).execute()
  for (const { exited } of programs) expect(await exited).toMatchObject({ code: 0 })
  const outcomes = programs.map((program) => JSON.parse(program.output()) as (number | string)[])

  // Each recorder once: made by one process, found by the other; refused by both where there is no place.
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
}, 60_000)
