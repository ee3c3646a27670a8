const QUARTER_MS = 15 * 60_000
/** Daylight saving repeats at most this much of a day. */
const REPEATED_MS = 60 * 60_000
const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Local date and time of an instant, as epoch ms of the same date and time in UTC. */
function wallOf(epochMs: number, fusoHorario: string): number {
  const format =
    formats.get(fusoHorario) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: fusoHorario,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  formats.set(fusoHorario, format)
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]))
  const part = (type: 'year' | 'month' | 'day' | 'hour' | 'minute') => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
}

/**
 * The next instant after `afterMs` at which the clock of a time zone reaches `hour`, once a day. An hour that daylight
 * saving skips is reached by the jump over it. A repeated hour counts at its first time only. Offsets from UTC are
 * whole quarters of an hour.
 */
export function nextDigestAt(hour: number, fusoHorario: string, afterMs: number): number {
  const first = (Math.floor(afterMs / QUARTER_MS) + 1) * QUARTER_MS
  let before = wallOf(first - QUARTER_MS, fusoHorario)
  for (let at = first; at <= first + 2 * DAY_MS; at += QUARTER_MS) {
    const wall = wallOf(at, fusoHorario)
    const due = Math.floor(wall / DAY_MS) * DAY_MS + hour * 3_600_000
    // The due time of the day before matters to an hour that is skipped at midnight.
    const reached = [due, due - DAY_MS].some((each) => before < each && each <= wall)
    if (reached && wallOf(at - REPEATED_MS, fusoHorario) < due) return at
    before = wall
  }
  throw new Error(`no hour ${hour} within two days in ${fusoHorario}`)
}
