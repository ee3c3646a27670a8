import { expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const date = 'Tue, 24 Nov 2026 03:00:00 GMT'

it.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Tue, 24 Nov 2026 03:02:00 GMT', 120_000],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
  ['', undefined],
  ['Tue, 24 Nov 2026 02:00:00 GMT', undefined],
])('%s is a pause of %s ms', (value, ms) => {
  expect(retryAfterMs({ 'retry-after': value, date })).toBe(ms)
})

it('is no pause without the header, and a date counts from now without the date of the answer', () => {
  expect(retryAfterMs({ date })).toBeUndefined()
  const ms = retryAfterMs({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() }) ?? 0
  expect(ms).toBeGreaterThan(0)
  expect(ms).toBeLessThanOrEqual(60_000)
})
