import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTempDatabase, type TempDatabase } from '../test/records/queue-records.ts'
import { countByParts, IDS_OF_PART, listByParts } from './id-parts.ts'

let opened: TempDatabase
/** In three parts, with a part between them that has no rows. */
const IDS = [5, 6, 7, IDS_OF_PART + 1, 3 * IDS_OF_PART, 3 * IDS_OF_PART + 6]
beforeAll(async () => {
  opened = await openTempDatabase()
})
afterAll(() => opened.close())

const quedas = () => opened.db.selectFrom('quedas').where('motivo', '=', 'sem_resposta')
const page = async (change: { before?: number | null; limit?: number; offset?: number }) => {
  const rows = await listByParts(opened.db, 'quedas', quedas(), { before: null, limit: 10, offset: 0, ...change })
  return rows.map(({ id }) => id)
}

it('has no rows of an empty table', async () => {
  expect([await countByParts(opened.db, 'quedas', quedas()), await page({})]).toEqual([0, []])
})

it('counts and lists the rows of all parts that a filter finds, newest first', async () => {
  const row = { empresa_id: null, edge_id: null, nome: 'Central', inicio: 1, fim: 2 }
  const rows = IDS.flatMap((id) => [
    { ...row, id, camera_id: id, motivo: 'sem_resposta' },
    { ...row, id: id + 100, camera_id: id + 100, motivo: 'outro' },
  ])
  await opened.db.insertInto('quedas').values(rows).execute()
  expect(await countByParts(opened.db, 'quedas', quedas())).toBe(IDS.length)
  const newest = IDS.toReversed()
  expect(await page({})).toEqual(newest)
  expect(await page({ limit: 2, offset: 1 })).toEqual(newest.slice(1, 3))
  expect(await page({ before: IDS_OF_PART + 1 })).toEqual([7, 6, 5])
  expect(await page({ before: 5 })).toEqual([])
  expect(await page({ offset: 5 })).toEqual([5])
})
