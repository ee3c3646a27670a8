import { expect, it } from 'vitest'
import { openWithArrivals } from '../../test/arriving-events-store.ts'
import { type LogPage, readLog } from './store.ts'

it('looks through a long log in short stretches, and misses no line of it', async () => {
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
  // An Empresa with nothing in it: what was asked for in one breath held up everybody else.
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
