import { describe, expect, it } from 'vitest'
import { period } from './period.ts'

describe('a period of days', () => {
  it('lasts from midnight to midnight in the zone of the site, both days included', () => {
    expect(period('2026-11-20', '2026-11-21', 'America/Sao_Paulo')).toEqual({
      desde: '2026-11-20T03:00:00.000Z',
      ate: '2026-11-22T03:00:00.000Z',
    })
    expect(period('2026-12-31', '2026-12-31', 'Pacific/Kiritimati')).toEqual({
      desde: '2026-12-30T10:00:00.000Z',
      ate: '2026-12-31T10:00:00.000Z',
    })
  })

  it('is open on a side without a day, and swaps days in the wrong order', () => {
    expect(period(null, null, 'America/Sao_Paulo')).toEqual({ desde: null, ate: null })
    expect(period('2026-11-21', '2026-11-20', 'UTC')).toEqual(period('2026-11-20', '2026-11-21', 'UTC'))
  })

  it('has 23 hours on the day on which the clock goes forward, and 25 when it goes back', () => {
    const hours = (day: string) => {
      const { desde, ate } = period(day, day, 'Europe/Lisbon')
      return (Date.parse(ate ?? '') - Date.parse(desde ?? '')) / 3_600_000
    }
    expect(hours('2026-03-29')).toBe(23)
    expect(hours('2026-10-25')).toBe(25)
    expect(hours('2026-07-01')).toBe(24)
    // At midnight UTC of that day the offset has already changed.
    expect(period('2026-04-05', null, 'Australia/Sydney').desde).toBe('2026-04-04T13:00:00.000Z')
  })

  it('uses the browser’s zone for an unknown zone', () => {
    expect(period('2026-11-20', null, 'Terra/Media')).toEqual(period('2026-11-20', null, null))
  })
})
