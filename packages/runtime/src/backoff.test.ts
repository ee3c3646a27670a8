import { expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

const limits = { minMs: 1_000, maxMs: 30_000 }

it('doubles up to the limit', () => {
  const longest = [0, 1, 2, 3, 4, 5, 6, 1_000_000].map((failures) => backoffMs(failures, limits, () => 1))
  expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
})

it.each([
  { jitter: undefined, least: 4_000, most: 8_000 },
  { jitter: [0.75, 1.25] as const, least: 6_000, most: 10_000 },
  { jitter: 'full' as const, least: 1_000, most: 8_000 },
  { jitter: [1, 1] as const, least: 8_000, most: 8_000 },
])('draws the wait from $least to $most ms with jitter $jitter', ({ jitter, least, most }) => {
  const wait = (random: number) => backoffMs(3, { ...limits, jitter }, () => random)
  expect([wait(0), wait(0.5), wait(1)]).toEqual([least, (least + most) / 2, most])
})
