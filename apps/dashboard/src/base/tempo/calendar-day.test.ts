import { expect, it } from 'vitest'
import { dayOf, lastDays } from './calendar-day.ts'

it('counts calendar days of the time zone, also over the end of a month', () => {
  const now = Date.parse('2026-03-01T02:30:00Z')
  expect(lastDays(7, now, 'America/Sao_Paulo')).toEqual({ de: '2026-02-22', ate: '2026-02-28' })
  expect(lastDays(1, now, 'UTC')).toEqual({ de: '2026-03-01', ate: '2026-03-01' })
})

it('uses the zone of the browser for one that it does not support', () => {
  expect(dayOf(Date.parse('2026-03-01T12:00:00Z'), 'Mars/Olympus')).toBe('2026-03-01')
})
