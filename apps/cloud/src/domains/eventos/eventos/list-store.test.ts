import { expect, it } from 'vitest'
import { openWithArrivals } from '../../../test/stores/arriving-events-store.ts'
import { countEvents } from './count-store.ts'
import { listIds } from './list-store.ts'

const DAY = 86_400_000

it('finds the page if the oldest and newest events of the span arrived last', async () => {
  const db = await openWithArrivals([
    [11, 5000],
    [10, 1500],
    [12, 1500],
  ])
  const filter = { empresas: [1], desde: 10 * DAY, ate: 13 * DAY }
  const counts = await countEvents(db, filter)
  expect(counts.total).toBe(8000)
  const pageAt = (offset: number) => listIds(db, filter, counts, { before: null, limit: 2, offset })
  // The ids are 8000 to 1. The offsets lie within the late events, at their border, and below it.
  for (const offset of [0, 2500, 2999, 3000, 7999])
    expect(await pageAt(offset)).toEqual([8000 - offset, 7999 - offset].filter((id) => id > 0))
  await db.destroy()
})

it('skips any number of unused ids', async () => {
  const db = await openWithArrivals([[1, 6000]])
  const far = 2 ** 40
  await db
    .updateTable('eventos')
    .set((eb) => ({ id: eb('id', '+', far) }))
    .where('id', '>', 3000)
    .execute()
  await db
    .updateTable('contagens_eventos')
    .set((eb) => ({ maior_id: eb('maior_id', '+', far) }))
    .execute()
  const filter = { empresas: [1] }
  const counts = await countEvents(db, filter)
  const pageAt = (offset: number, before: number | null) => listIds(db, filter, counts, { before, limit: 2, offset })
  expect(await pageAt(2999, null)).toEqual([far + 3001, 3000])
  expect(await pageAt(5998, null)).toEqual([2, 1])
  expect(await pageAt(0, far + 3001)).toEqual([3000, 2999])
  await db.destroy()
})
