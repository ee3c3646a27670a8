import { clockParts, instantByClock } from '@vigia/contracts/wall-clock'
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
export const instantOf = (day: string, seconds: number, fuso: Fuso): number =>
  instantByClock(day, seconds, clockOf(fuso))

function clockOf(fuso: Fuso): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', fuso === null ? clockParts : { ...clockParts, timeZone: fuso })
  } catch (error) {
    // An old browser may not support the zone (format-time.ts).
    if (error instanceof RangeError) return new Intl.DateTimeFormat('en', clockParts)
    throw error
  }
}
