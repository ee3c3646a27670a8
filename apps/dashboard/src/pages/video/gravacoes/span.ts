import { dayOf } from '../../../base/tempo/calendar-day.ts'
import { type Fuso, formatClock } from '../../../base/tempo/format-time.ts'
import { instantOf } from '../../../base/tempo/period.ts'
import type { Span } from '../../../ui/hour-view.ts'

/** Lengths that the form offers, in minutes. */
const LENGTHS = [1, 2, 5, 10, 15] as const

/** A part of the archive to fetch. `startMs`: epoch. */
export interface Parte {
  readonly startMs: number
  /** At most the longest of `LENGTHS`. */
  readonly minutos: number
}

/** Returns the part of a span of the bar in full minutes; of a longer span its begin. */
export const parteOf = ({ desde, ate }: Span): Parte => ({
  startMs: desde,
  minutos: Math.max(1, Math.min(Math.max(...LENGTHS), Math.ceil((ate - desde) / 60_000))),
})

/** Returns the lengths that the form offers for a part, in minutes. */
export const lengthsFor = (minutos: number): number[] => [...new Set([...LENGTHS, minutos])].toSorted((a, b) => a - b)

/** Fields of the form. `hora`: `14:32:05` or `14:32`, wall clock of the Empresa. */
export interface SpanFields {
  readonly dia: string
  readonly hora: string
  readonly minutos: string
}

/** The form for a part. */
export const fieldsOf = ({ startMs, minutos }: Parte, fuso: Fuso): SpanFields => ({
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
