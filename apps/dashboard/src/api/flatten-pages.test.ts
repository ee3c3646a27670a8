import { expect, it } from 'vitest'
import { flattenPages } from './flatten-pages.ts'

it('joins pages into one list, newest first, each record once', () => {
  const page = (...ids: number[]) => ids.map((id) => ({ id }))
  expect(flattenPages([page(9, 8, 7), page(7, 6)]).map(({ id }) => id)).toEqual([9, 8, 7, 6])
  expect(flattenPages([])).toEqual([])
})
