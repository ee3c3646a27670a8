import type { Fuso } from './format-time.ts'

const DAY_MS = 86_400_000

/** The calendar day `days` after `day` (`2026-01-31`). */
export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The last `days` calendar days in `fuso` up to today. */
export function lastDays(days: number, now: number, fuso: Fuso): { readonly de: string; readonly ate: string } {
  const ate = dayOf(now, fuso)
  return { de: shiftDay(ate, 1 - days), ate }
}

/** Calendar day of an instant in `fuso`; an old browser that does not support it uses its own zone. */
export function dayOf(ms: number, fuso: Fuso): string {
  const options = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat('en-CA', { ...options, ...(fuso !== null && { timeZone: fuso }) }).format(ms)
  } catch (error) {
    if (error instanceof RangeError) return new Intl.DateTimeFormat('en-CA', options).format(ms)
    throw error
  }
}
