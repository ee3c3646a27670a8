import { expect, it } from 'vitest'
import { maskSpans, outlinesOf } from './mask-spans.ts'

const grid = { columns: 8, rows: 4, width: 8, height: 4 }
const drawn = (...polygons: number[][]) =>
  maskSpans(outlinesOf(polygons), grid).map((pairs) => {
    const row = Array.from({ length: grid.columns }, () => '.')
    for (let i = 0; i < pairs.length; i += 2) row.fill('#', pairs[i], pairs[i + 1])
    return row.join('')
  })

it('covers each cell that an outline touches', () => {
  expect(drawn([0.25, 0.25, 0.75, 0.25, 0.75, 0.75, 0.25, 0.75])).toEqual([
    '........',
    '..####..',
    '..####..',
    '........',
  ])
  // A quarter of a cell more on each side.
  expect(drawn([0.22, 0.2, 0.78, 0.2, 0.78, 0.8, 0.22, 0.8])).toEqual(['.######.', '.######.', '.######.', '.######.'])
})

it('covers the whole picture up to its border, and nothing outside', () => {
  expect(drawn([0, 0, 1, 0, 1, 1, 0, 1])).toEqual(Array(4).fill('########'))
})

it('reads points of one polygon, and joins polygons that overlap', () => {
  expect(drawn([0, 0], [0.5, 0], [0.5, 1], [0, 1])).toEqual(Array(4).fill('####....'))
  expect(drawn([0, 0, 0.5, 0, 0.5, 1, 0, 1], [0.25, 0, 0.75, 0, 0.75, 1, 0.25, 1])).toEqual(Array(4).fill('######..'))
})

it('covers the overlap of an outline that crosses itself', () => {
  const twice = [0, 0, 1, 0, 1, 1, 0, 1]
  expect(drawn([...twice, ...twice])).toEqual(Array(4).fill('########'))
})
