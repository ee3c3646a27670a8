import { dayOf } from '../../../base/tempo/calendar-day.ts'
import { type Fuso, formatClock } from '../../../base/tempo/format-time.ts'
import { instantOf } from '../../../base/tempo/period.ts'

/** Lengths that the form offers, in minutes. */
export const LENGTHS = [1, 2, 5, 10, 15] as const

/** Fields of the form. `hora`: `14:32:05` or `14:32`, wall clock of the Empresa. */
export interface SpanFields {
  readonly dia: string
  readonly hora: string
  readonly minutos: string
}

/** The form for a part that begins at `startMs` (epoch). */
export const fieldsOf = (startMs: number, minutos: number, fuso: Fuso): SpanFields => ({
  dia: dayOf(startMs, fuso),
  hora: formatClock(new Date(startMs).toISOString(), fuso).slice(0, 8),
  minutos: String(minutos),
})

/** The requested part, ISO 8601 UTC; null: day or time is missing. */
export function spanOf(
  { dia, hora, minutos }: SpanFields,
  fuso: Fuso,
): { readonly inicio: string; readonly fim: string } | null {
  const clock = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(hora)
  if (!/^\d{4}-\d\d-\d\d$/.test(dia) || clock === null) return null
  const seconds = Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)
  const start = instantOf(dia, seconds, fuso)
  return { inicio: new Date(start).toISOString(), fim: new Date(start + Number(minutos) * 60_000).toISOString() }
}
