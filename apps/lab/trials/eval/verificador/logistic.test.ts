import { xorshift } from '@vigia/testing/random'
import { expect, it } from 'vitest'
import { dot, fitLogistic, sigmoid } from './logistic.ts'

it('finds the weights that made the labels', () => {
  const random = xorshift(3)
  const weights = [1.5, -0.8, 0.4]
  const rows = Array.from({ length: 20_000 }, () => {
    const x = [random() * 6 - 3, random() * 6 - 3, 1]
    return { x, y: random() < sigmoid(dot(weights, x)), weight: 1 }
  })
  const found = fitLogistic(rows, [0, 0, 0], 0.1)
  for (const [i, weight] of weights.entries()) expect(found[i]).toBeCloseTo(weight, 0.8)
})

it('stays near the prior without data', () => {
  expect(fitLogistic([], [0.5, 2], 1)).toEqual([0.5, 2])
})
