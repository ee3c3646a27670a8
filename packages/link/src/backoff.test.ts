import { expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

const limits = { minMs: 1_000, maxMs: 30_000 }

it('doubles up to the limit and draws the upper half by chance', () => {
  const longest = [0, 1, 2, 3, 4, 5, 6, 1_000_000].map((failures) => backoffMs(failures, limits, () => 1))
  expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  expect(backoffMs(3, limits, () => 0)).toBe(4_000)
})
