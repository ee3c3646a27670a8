import { expect, it } from 'vitest'
import { createShares } from './shares.ts'

const of = (root: string, empresa = 'a', edge = '1') => ({ root, empresa: root + empresa, edge: root + empresa + edge })
const limits = { edge: 10, empresa: 20, root: 30, installation: 100 }

it('bounds what an edge, an Empresa and a root hold, and the sum', () => {
  const shares = createShares(limits)
  expect([shares.take(of('x'), 10), shares.take(of('x'), 1)]).toEqual([true, false])
  expect([shares.take(of('x', 'a', '2'), 10), shares.take(of('x', 'a', '3'), 1)]).toEqual([true, false])
  expect([shares.take(of('x', 'b'), 10), shares.take(of('x', 'c'), 1)]).toEqual([true, false])
  const full = createShares({ ...limits, edge: 100, empresa: 100, root: 100 })
  expect([full.take(of('x'), 101), full.take(of('x'), 100), full.take(of('y'), 1)]).toEqual([false, true, false])
  shares.give(of('x'), 10)
  expect(shares.take(of('x'), 10)).toBe(true)
  expect(shares.used).toBe(30)
})

it('leaves space for a neighbour however many boxes the other roots have', () => {
  const shares = createShares({ edge: 100, empresa: 100, root: 100, installation: 256 })
  for (let round = 0; round < 24; round += 1)
    for (let box = 1; box <= 60; box += 1) shares.take(of(`hostile ${box % 3}`, 'a', `${box}`), 1)
  expect(shares.take(of('neighbour'), 24)).toBe(true)
})
