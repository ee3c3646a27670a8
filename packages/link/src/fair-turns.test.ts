import { expect, it } from 'vitest'
import type { EdgeLineage } from './edge-lineage.ts'
import { createFairTurns } from './fair-turns.ts'

const of = (root: string, empresa = 'a', edge = '1'): EdgeLineage => ({
  root,
  empresa: `${root}${empresa}`,
  edge: `${root}${empresa}${edge}`,
})

function taken(turns: ReturnType<typeof createFairTurns<string>>, ready = {}): string[] {
  const items: string[] = []
  for (let item = turns.take(ready); item !== undefined; item = turns.take(ready)) items.push(item)
  return items
}

it('takes one item of a neighbour for each item of a root with twenty boxes', () => {
  const turns = createFairTurns<string>()
  for (let box = 1; box <= 20; box += 1)
    for (let item = 0; item < 5; item += 1) turns.push(of('hostile', 'a', `${box}`), 'hostile')
  for (let item = 0; item < 5; item += 1) turns.push(of('neighbour'), `neighbour ${item}`)
  const order = taken(turns)
  expect(order).toHaveLength(105)
  // Turns of edges alone would put twenty items of the other root between two of these.
  expect(order.flatMap((item, at) => (item === 'hostile' ? [] : [at]))).toEqual([1, 3, 5, 7, 9])
})

it('takes turns between the Empresas of a root, then between the edges of an Empresa', () => {
  const turns = createFairTurns<string>()
  for (const [empresa, edge] of ['a1', 'a2', 'a3', 'b1'].map((name) => [...name]))
    for (const item of [1, 2]) turns.push(of('r', empresa, edge), `${empresa}${edge}:${item}`)
  expect(taken(turns)).toEqual(['a1:1', 'b1:1', 'a2:1', 'b1:2', 'a3:1', 'a1:2', 'a2:2', 'a3:2'])
})

it('passes over units and items that are not ready, and they keep their turns', () => {
  const turns = createFairTurns<string>()
  for (const name of ['x', 'y', 'z']) turns.push(of(name), name)
  expect(turns.take({ unit: (level, key) => level !== 'root' || key !== 'x' })).toBe('y')
  expect(turns.take({ item: (item) => item !== 'x' })).toBe('z')
  expect(turns.take({ item: () => false })).toBeUndefined()
  expect(turns.size).toBe(1)
  expect(turns.take({})).toBe('x')
  expect(turns.size).toBe(0)
})

it('removes the items of an edge', () => {
  const turns = createFairTurns<string>()
  for (const item of ['one', 'two', 'three']) turns.push(of('x'), item)
  turns.remove(of('x'), (item) => item !== 'two')
  expect(turns.size).toBe(1)
  expect(turns.has(of('x'))).toBe(true)
  turns.remove(of('x'), () => true)
  expect(turns.has(of('x'))).toBe(false)
  expect(taken(turns)).toEqual([])
})
