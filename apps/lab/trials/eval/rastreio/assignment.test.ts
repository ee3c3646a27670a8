import { xorshift } from '@vigia/testing/random'
import { expect, it } from 'vitest'
import { assign } from './assignment.ts'

const costOf = (costs: readonly (readonly number[])[], columns: readonly number[]) =>
  columns.reduce((sum, column, row) => sum + (costs[row]?.[column] ?? 0), 0)

/** The least cost over all assignments of each row. */
function leastCost(costs: readonly (readonly number[])[], row = 0, used: readonly number[] = []): number {
  const own = costs[row]
  if (!own) return 0
  const rest = own.flatMap((cost, column) =>
    used.includes(column) ? [] : [cost + leastCost(costs, row + 1, [...used, column])],
  )
  return Math.min(...rest)
}

it('prefers the least sum to the best single pair', () => {
  expect(
    assign([
      [1, 2],
      [2, 9],
    ]),
  ).toEqual([1, 0])
})

it('leaves rows or columns without a partner', () => {
  expect(assign([[5, 1, 4]])).toEqual([1])
  expect(assign([[5], [1], [4]])).toEqual([-1, 0, -1])
  expect(assign([[], []])).toEqual([-1, -1])
  expect(assign([])).toEqual([])
})

it('equals the search through all assignments', () => {
  const random = xorshift(11)
  for (let round = 0; round < 60; round++) {
    const [rows, columns] = [1 + Math.floor(random() * 5), 5]
    const costs = Array.from({ length: rows }, () =>
      Array.from({ length: columns }, () => Math.floor(random() * 20) - 9),
    )
    const found = assign(costs)
    expect(new Set(found).size).toBe(rows)
    expect(costOf(costs, found)).toBe(leastCost(costs))
  }
})
