import { describe, expect, it } from 'vitest'
import {
  foreignZone,
  formatAge,
  formatClock,
  formatConfidence,
  formatDay,
  formatDuration,
  formatFull,
  formatMoment,
  formatWhen,
} from './format-time.ts'

const SP = 'America/Sao_Paulo'
const at = (iso: string) => new Date(iso).getTime()

describe('formatted times', () => {
  it('use the time zone of the site, not of the server', () => {
    expect(formatClock('2026-11-21T02:30:05.000Z', SP)).toBe('23:30:05')
    expect(formatClock('2026-11-21T02:30:05.000Z', 'America/Manaus')).toBe('22:30:05')
  })

  it('count days in the time zone of the site', () => {
    const now = at('2026-11-21T03:30:00Z') // 00:30 in São Paulo
    expect(formatDay('2026-11-21T03:10:00Z', now, SP)).toBe('hoje')
    expect(formatDay('2026-11-21T02:59:00Z', now, SP)).toBe('ontem')
    expect(formatDay('2026-11-19T12:00:00Z', now, SP)).toBe('19 de nov.')
    expect(formatDay('2025-11-19T12:00:00Z', now, SP)).toBe('19 de nov. de 2025')
  })

  it('are right across the end of a month and of a year', () => {
    expect(formatDay('2026-01-01T01:00:00Z', at('2026-01-01T12:00:00Z'), SP)).toBe('ontem')
    expect(formatDay('2026-03-01T01:00:00Z', at('2026-03-01T12:00:00Z'), SP)).toBe('ontem')
  })

  it('fall back to a named zone if the browser does not support the zone', () => {
    const text = formatClock('2026-11-21T02:30:05.000Z', 'Terra/Media')
    expect(text).toMatch(/\d\d:30:05 \S+/)
  })

  it('contain date, time and zone in full', () => {
    expect(formatFull('2026-11-21T02:30:05.000Z', SP)).toMatch(/^20\/11\/2026, 23:30:05 (BRT|GMT-3)$/)
  })

  it('are an age if recent, also past midnight, and a day otherwise', () => {
    const now = at('2026-11-21T03:10:00Z') // 00:10 in São Paulo
    expect(formatWhen('2026-11-21T02:55:00Z', now, SP)).toBe('há 15 min')
    expect(formatWhen('2026-11-20T15:20:00Z', now, SP)).toBe('há 11 h')
    expect(formatWhen('2026-11-20T15:00:00Z', now, SP)).toBe('ontem')
  })

  it('name the zone of the site if it differs from the browser’s', () => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(foreignZone('2026-11-21T02:30:05Z', here)).toBeNull()
    expect(foreignZone('2026-11-21T02:30:05Z', null)).toBeNull()
    expect(foreignZone('2026-11-21T02:30:05Z', 'Pacific/Kiritimati')).toBe('GMT+14')
  })

  it.each([
    [-5, 'agora'],
    [9, 'agora'],
    [10, 'há 10 s'],
    [59, 'há 59 s'],
    [60, 'há 1 min'],
    [3599, 'há 59 min'],
    [3600, 'há 1 h'],
    [86_400, 'há 1 dia'],
    [3 * 86_400, 'há 3 dias'],
  ])('show an age of %i s as "%s"', (seconds, text) => {
    expect(formatAge('2026-11-21T00:00:00Z', at('2026-11-21T00:00:00Z') + seconds * 1000)).toBe(text)
  })

  it.each([
    [-1, '0 s'],
    [45_900, '45 s'],
    [60_000, '1 min'],
    [3_599_000, '59 min'],
    [3_600_000, '1 h'],
    [11_100_000, '3 h 5 min'],
    [86_400_000, '1 dia'],
    [187_200_000, '2 dias 4 h'],
  ])('show a duration of %i ms as "%s"', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it('omit the day for a moment of today', () => {
    const now = at('2026-11-21T15:00:00Z')
    expect(formatMoment('2026-11-21T12:05:40Z', now, SP)).toBe('09:05')
    expect(formatMoment('2026-11-20T12:05:40Z', now, SP)).toBe('ontem, 09:05')
    expect(formatMoment('2026-11-12T12:05:40Z', now, SP)).toBe('12 de nov., 09:05')
  })

  it.each([
    [0, '0%'],
    [0.87, '87%'],
    [0.57, '57%'],
    [0.999, '99%'],
    [1, '100%'],
  ])('formats a confidence of %f as %s', (fraction, text) => {
    expect(formatConfidence(fraction)).toBe(text)
  })
})
