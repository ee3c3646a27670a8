import { expect, it } from 'vitest'
import { poissonLimit } from './poisson.ts'

// Half of the chi-square quantiles 0.95 with 2, 4, 8 and 22 degrees of freedom.
it.each([
  [0, 2.996],
  [1, 4.744],
  [3, 7.754],
  [10, 16.962],
])('after %i events at most %f are expected', (count, limit) => {
  expect(poissonLimit(count)).toBeCloseTo(limit, 3)
})
