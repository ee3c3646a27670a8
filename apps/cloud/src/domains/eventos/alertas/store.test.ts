import { expect, it } from 'vitest'
import { openWithArrivals } from '../../../test/stores/arriving-events-store.ts'
import { type LogPage, readLog, resumeAfter } from './store.ts'

it('reads a long log in short statements and misses no line', async () => {
  const db = await openWithArrivals([[1, 12_345]])
  await db
    .insertInto('alertas')
    .columns(['evento_id', 'tipo', 'criado_em'])
    .expression((eb) => eb.selectFrom('eventos').select(({ val }) => ['id', val('evento').as('tipo'), 'recebido_em']))
    .execute()
  const pagesOf = async (empresas: number[], limite: number) => {
    const pages: LogPage[] = []
    for (let apos = 0; pages.at(-1)?.fim !== true; apos = pages.at(-1)?.ate ?? 0)
      pages.push(await readLog(db, { apos, tipos: ['evento'], empresas, limite }))
    return pages
  }
  // For an Empresa without lines, one statement over the whole log would block other requests.
  const empty = await pagesOf([2], 50)
  expect(empty.map(({ ate, fim }) => [ate, fim])).toEqual([
    [5000, false],
    [10_000, false],
    [12_345, true],
  ])
  const all = await pagesOf([1], 500)
  expect(all.flatMap(({ linhas }) => linhas.map(({ seq }) => seq))).toEqual(
    Array.from({ length: 12_345 }, (_, i) => i + 1),
  )
  await db.destroy()
})

it('continues after the last received evento, in the order of the log and not of the ids', async () => {
  const db = await openWithArrivals([[1, 3]])
  // The third has its line before the second, which was refuted and has no line of the kind `alerta`.
  const lines = [
    [1, 'evento'],
    [3, 'evento'],
    [2, 'evento'],
    [3, 'alerta'],
    [1, 'alerta'],
  ] as const
  for (const [evento_id, tipo] of lines)
    await db.insertInto('alertas').values({ evento_id, tipo, criado_em: 1 }).execute()
  expect(await resumeAfter(db, 3, ['evento', 'alerta'])).toBe(2)
  expect(await resumeAfter(db, 3, ['alerta'])).toBe(4)
  expect(await resumeAfter(db, 2, ['alerta'])).toBe(3)
  await db.destroy()
})
