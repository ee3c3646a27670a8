/** Options of the formatter that `instantByClock` reads; with `timeZone` it shows that zone. */
export const clockParts = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions

/**
 * Epoch ms at which `clock` shows the time `seconds` after the start of `day` (`2026-11-21`).
 * @param clock formatter with `clockParts`
 */
export function instantByClock(day: string, seconds: number, clock: Intl.DateTimeFormat): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const wanted = Date.UTC(year, month - 1, date, 0, 0, seconds)
  // The offset may change near that time, so it is read again at the first result.
  const guess = wanted - offsetAt(wanted, clock)
  return wanted - offsetAt(guess, clock)
}

/** Offset of the zone of `clock` from UTC in ms at the instant `ms`. */
function offsetAt(ms: number, clock: Intl.DateTimeFormat): number {
  const parts = clock.formatToParts(ms)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(ms / 1000) * 1000
}
