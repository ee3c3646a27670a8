import type { Fuso } from './format-time.ts'

/**
 * Returns the days `de` to `ate` (`2026-11-21`, both included) of `fuso` as instants, ISO 8601 UTC. `desde` is
 * inclusive, `ate` exclusive; null: open on that side. Days in the wrong order are swapped.
 */
export function period(
  de: string | null,
  ate: string | null,
  fuso: Fuso,
): { readonly desde: string | null; readonly ate: string | null } {
  const [first, last] = de !== null && ate !== null && de > ate ? [ate, de] : [de, ate]
  return {
    desde: first === null ? null : new Date(dayStart(first, 0, fuso)).toISOString(),
    ate: last === null ? null : new Date(dayStart(last, 1, fuso)).toISOString(),
  }
}

/** Epoch ms at the start of the day that is `after` days after `day`, in the time zone `fuso`. */
const dayStart = (day: string, after: number, fuso: Fuso): number => instantOf(day, after * 86_400, fuso)

/** Epoch ms at which clocks in `fuso` show the time `seconds` after the start of `day` (`2026-11-21`). */
export function instantOf(day: string, seconds: number, fuso: Fuso): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const wanted = Date.UTC(year, month - 1, date, 0, 0, seconds)
  // The offset may change near that time, so it is read again at the first result.
  const guess = wanted - offsetAt(wanted, fuso)
  return wanted - offsetAt(guess, fuso)
}

/** Offset of `fuso` from UTC in ms at the instant `ms`. */
function offsetAt(ms: number, fuso: Fuso): number {
  const parts = clockOf(fuso).formatToParts(ms)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(ms / 1000) * 1000
}

function clockOf(fuso: Fuso): Intl.DateTimeFormat {
  const options = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  } as const
  try {
    return new Intl.DateTimeFormat('en', fuso === null ? options : { ...options, timeZone: fuso })
  } catch (error) {
    // An old browser may not support the zone (format-time.ts).
    if (error instanceof RangeError) return new Intl.DateTimeFormat('en', options)
    throw error
  }
}
