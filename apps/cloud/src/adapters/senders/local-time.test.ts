import { expect, it } from 'vitest'
import { shownDuration } from './local-time.ts'

it.each([
  [0, '0 s'],
  [999, '0 s'],
  [45_000, '45 s'],
  [60_000, '1 min'],
  [3_661_000, '1 h 1 min'],
  [3_605_000, '1 h'],
  [90_000_000, '1 d 1 h'],
  [-5, '0 s'],
])('%i ms: %s', (ms, shown) => {
  expect(shownDuration(ms)).toBe(shown)
})
