import { pageLocale } from '../../texts/locale.ts'

const DAY_MS = 86_400_000

/** Time zone of the Empresa (IANA name); null: the zone of the browser. */
export type Fuso = string | null

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Formatters are expensive and a list needs hundreds, so one per zone and format is cached. */
function formatter(fuso: Fuso, shape: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${pageLocale()}|${fuso ?? ''}|${shape}`
  const known = formatters.get(key)
  if (known) return known
  const made = makeFormatter(fuso, options)
  formatters.set(key, made)
  return made
}

function makeFormatter(fuso: Fuso, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  if (fuso === null) return new Intl.DateTimeFormat(pageLocale(), options)
  try {
    return new Intl.DateTimeFormat(pageLocale(), { ...options, timeZone: fuso })
  } catch (error) {
    // An old browser may not support a zone. Then the zone of the browser is used, and named beside the time.
    if (error instanceof RangeError) return new Intl.DateTimeFormat(pageLocale(), { ...options, timeZoneName: 'short' })
    throw error
  }
}

const portuguese = {
  today: 'hoje',
  yesterday: 'ontem',
  now: 'agora',
  ago: (age: string) => `há ${age}`,
  day: 'dia',
  days: 'dias',
}
const english: typeof portuguese = {
  today: 'today',
  yesterday: 'yesterday',
  now: 'now',
  ago: (age) => `${age} ago`,
  day: 'day',
  days: 'days',
}
const words = () => (pageLocale().startsWith('pt') ? portuguese : english)

const countDays = (count: number): string => `${count} ${count === 1 ? words().day : words().days}`

/** `14:32:05` in `fuso`. `iso` is ISO 8601 UTC. */
export const formatClock = (iso: string, fuso: Fuso): string =>
  formatter(fuso, 'clock', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(iso))

/** Number of the calendar day in `fuso`, to compare two instants by day. */
function dayNumber(ms: number, fuso: Fuso): number {
  const parts = formatter(fuso, 'day', { year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(ms)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  return Math.round(Date.UTC(part('year'), part('month') - 1, part('day')) / DAY_MS)
}

/** `hoje`, `ontem`, `12 de nov.` or `12 de nov. de 2025`, relative to `now` (epoch ms) in `fuso`. */
export function formatDay(iso: string, now: number, fuso: Fuso): string {
  const date = new Date(iso)
  const age = dayNumber(now, fuso) - dayNumber(date.getTime(), fuso)
  if (age === 0) return words().today
  if (age === 1) return words().yesterday
  const sameYear = date.getUTCFullYear() === new Date(now).getUTCFullYear()
  return sameYear
    ? formatter(fuso, 'short', { day: 'numeric', month: 'short' }).format(date)
    : formatter(fuso, 'long', { day: 'numeric', month: 'short', year: 'numeric' }).format(date)
}

/** Largest age that is shown as an age; an older time is shown as a day. */
const RECENT_MS = 12 * 3_600_000

/** `há 9 min` for a recent time, else the day: `ontem`, `12 de nov.`. */
export const formatWhen = (iso: string, now: number, fuso: Fuso): string =>
  now - new Date(iso).getTime() < RECENT_MS ? formatAge(iso, now) : formatDay(iso, now, fuso)

/** Short name of `fuso` (`AMT`, `GMT-4`) if its offset differs from the browser's at that instant; else null. */
export function foreignZone(iso: string, fuso: Fuso): string | null {
  if (formatClock(iso, fuso) === formatClock(iso, null)) return null
  const parts = formatter(fuso, 'zone', { hour: '2-digit', timeZoneName: 'short' }).formatToParts(new Date(iso))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? null
}

/** Date and time with seconds and zone, for the detail: `21/11/2026, 14:32:05 BRT`. */
export const formatFull = (iso: string, fuso: Fuso): string =>
  formatter(fuso, 'full', {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(iso))

/**
 * Age in words: `agora`, `há 45 s`, `há 2 min`, `há 3 h`, `há 2 dias`. An instant in the future (small clock
 * differences) is `agora`.
 */
export function formatAge(iso: string, now: number): string {
  const seconds = Math.floor((now - new Date(iso).getTime()) / 1000)
  const { now: justNow, ago } = words()
  if (seconds < 10) return justNow
  if (seconds < 60) return ago(`${seconds} s`)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return ago(`${minutes} min`)
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return ago(`${hours} h`)
  return ago(countDays(Math.floor(hours / 24)))
}

/** A duration in at most two units: `45 s`, `12 min`, `3 h 5 min`, `2 dias 4 h`. Never negative. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return twoUnits(`${hours} h`, minutes % 60, 'min')
  const days = Math.floor(hours / 24)
  return twoUnits(countDays(days), hours % 24, 'h')
}

const twoUnits = (large: string, small: number, unit: string): string =>
  small === 0 ? large : `${large} ${small} ${unit}`

/** `14:32` in `fuso`. */
export const formatClockMinute = (iso: string, fuso: Fuso): string =>
  formatter(fuso, 'minute', { hour: '2-digit', minute: '2-digit' }).format(new Date(iso))

/** `14:32` of today, `ontem, 14:32`, `12 de nov., 14:32`, relative to `now` (epoch ms) in `fuso`. */
export function formatMoment(iso: string, now: number, fuso: Fuso): string {
  const clock = formatClockMinute(iso, fuso)
  const day = formatDay(iso, now, fuso)
  return day === words().today ? clock : `${day}, ${clock}`
}

/** A confidence between 0 and 1 as `87%`; a value below 1 is never rounded up to 100%. */
export const formatConfidence = (fraction: number): string => `${Math.floor(fraction * 100 + 1e-9)}%`
