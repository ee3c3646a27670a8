import { expect, it } from 'vitest'
import { calibrationError, summarizePlates } from './plate-result.ts'

it('counts exact texts, wrong ones above the threshold, and symbols', () => {
  const results = [
    { placa: 'ABC1234', found: { placa: 'ABC1234', chance: 0.3 } },
    { placa: 'ABC1234', found: { placa: 'ABC1235', chance: 0.7 } },
    { placa: 'ABC1234', found: { placa: 'XBC1234', chance: 0.5 } },
    { placa: 'ABC1234', found: null },
  ]
  expect(summarizePlates(results, 0.6)).toEqual({ count: 4, exact: 1, wrong: 1, symbols: 19 / 28 })
})

it('compares the chances with the share of right texts', () => {
  const one = (right: boolean, chance: number) => ({
    placa: 'ABC1234',
    found: { placa: right ? 'ABC1234' : 'XXX0000', chance },
  })
  expect(calibrationError([one(true, 0.75), one(true, 0.75), one(true, 0.75), one(false, 0.75)])).toBeCloseTo(0)
  expect(calibrationError([one(false, 0.95), { placa: 'ABC1234', found: null }])).toBeCloseTo(0.95)
})
