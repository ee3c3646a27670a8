import { expect, it } from 'vitest'
import { orderOfPassages } from './order-of-passages.ts'

const CARS = ['A', 'B', 'C', 'D']
/** One passage a second, of 800 ms. */
const passages = (...placas: (string | null)[]) =>
  placas.map((placa, at) => ({ placa, inicio: 1_000 * at, fim: 1_000 * at + 800 }))

it('finds nothing lost in complete rounds, wherever they begin', () => {
  expect(orderOfPassages(CARS, passages('C', 'D', 'A', 'B', 'C'))).toEqual({
    passages: 5,
    lost: 0,
    doubled: 0,
    unread: 0,
  })
})

it('counts lost cars and doubled passages', () => {
  expect(orderOfPassages(CARS, passages('A', 'D', 'D', 'A'))).toMatchObject({ lost: 2, doubled: 1 })
})

it('takes an unread or misread passage for the next car', () => {
  expect(orderOfPassages(CARS, passages('A', null, 'C', 'X', 'A'))).toMatchObject({ lost: 0, doubled: 0, unread: 2 })
  expect(orderOfPassages(CARS, passages('A', null, 'B'))).toMatchObject({ lost: 0, doubled: 1, unread: 0 })
})

it('does not count an unread car in the background of a read one', () => {
  const beside = { placa: null, inicio: 100, fim: 900 }
  expect(orderOfPassages(CARS, [...passages('A'), beside, { placa: 'B', inicio: 1_000, fim: 1_800 }])).toEqual({
    passages: 2,
    lost: 0,
    doubled: 0,
    unread: 0,
  })
})
