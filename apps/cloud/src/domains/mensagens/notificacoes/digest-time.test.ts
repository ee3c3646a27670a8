import { expect, it } from 'vitest'
import { nextDigestAt } from './digest-time.ts'

const next = (hour: number, zone: string, after: string) =>
  new Date(nextDigestAt(hour, zone, Date.parse(after))).toISOString()

it('is the next time at which the local clock shows the hour', () => {
  expect(next(7, 'America/Sao_Paulo', '2026-11-09T15:00:00Z')).toBe('2026-11-10T10:00:00.000Z')
  expect(next(7, 'America/Sao_Paulo', '2026-11-10T09:59:59Z')).toBe('2026-11-10T10:00:00.000Z')
  expect(next(7, 'America/Sao_Paulo', '2026-11-10T10:00:00Z')).toBe('2026-11-11T10:00:00.000Z')
  expect(next(0, 'Asia/Kathmandu', '2026-11-10T00:00:00Z')).toBe('2026-11-10T18:15:00.000Z')
})

it('is the jump of the clock on a day that skips the hour', () => {
  // Until 2018 the clocks of São Paulo went from midnight to 1 h.
  expect(next(0, 'America/Sao_Paulo', '2018-11-03T12:00:00Z')).toBe('2018-11-04T03:00:00.000Z')
  expect(next(2, 'Europe/Lisbon', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
  expect(next(1, 'Europe/Lisbon', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
})

it('is the first of two times on a day that repeats the hour', () => {
  expect(next(1, 'Europe/Lisbon', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00:00.000Z')
  expect(next(1, 'Europe/Lisbon', '2026-10-25T00:00:00Z')).toBe('2026-10-26T01:00:00.000Z')
})
