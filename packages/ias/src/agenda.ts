/** One window of the Agenda; its schema and meaning: contracts, agenda.ts. */
export interface Janela {
  readonly inicio: number
  readonly fim: number
  readonly dias: readonly number[]
}

/** Monday first, as in `dias` (decisions of the interface, Agenda). */
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Local time: hour 0–23 and weekday, 0 = Monday. */
interface WallClock {
  readonly hour: number
  readonly weekday: number
}

/** Local time of one time zone at an instant, in epoch ms. */
type ReadClock = (epochMs: number) => WallClock

/** Building a formatter costs about a hundred times as much as a call; an installation has few zones. */
const clocks = new Map<string, ReadClock>()

function clockOf(fusoHorario: string): ReadClock {
  const known = clocks.get(fusoHorario)
  if (known) return known
  const made = createClock(fusoHorario)
  clocks.set(fusoHorario, made)
  return made
}

/**
 * Called by every IA for every frame. The result is constant within a minute: offsets from UTC are whole minutes since
 * 1972.
 */
function createClock(fusoHorario: string): ReadClock {
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: fusoHorario,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  })
  let read: (WallClock & { readonly minute: number }) | null = null
  return (epochMs) => {
    const minute = Math.floor(epochMs / 60_000)
    if (read?.minute === minute) return read
    const parts = formatter.formatToParts(epochMs)
    const value = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
    read = { minute, hour: Number(value('hour')), weekday: WEEKDAYS.indexOf(value('weekday')) }
    return read
  }
}

/** Whether this runtime supports the time zone `name` (IANA name). */
export function isTimeZone(name: string): boolean {
  try {
    clockOf(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Agenda of a notification channel: one window, or an object without its fields. */
interface ChannelAgenda {
  readonly inicio?: number | undefined
  readonly fim?: number | undefined
  readonly dias?: readonly number[] | undefined
}

/** `isArmed` for a notification channel, whose empty Agenda is always open. */
export function isChannelOpen(
  { inicio, fim, dias = [] }: ChannelAgenda,
  fusoHorario: string,
  epochMs: number,
): boolean {
  return isArmed(
    inicio === undefined || fim === undefined ? null : { inicio, fim, dias: [...dias] },
    fusoHorario,
    epochMs,
  )
}

/**
 * Whether a window of the Agenda is open at `epochMs` (UTC). The window is [inicio, fim) in the local time of
 * `fusoHorario`. Local time comes from the runtime's time zone data on every call, never from a stored offset. An hour
 * that daylight saving repeats counts twice; a skipped hour does not exist. After a change of a country's law, an
 * update of Node is enough. Past midnight the window belongs to the day on which it started. Equal hours cover the
 * whole of the named days; an Agenda of null is always open. Throws RangeError on a time zone that does not exist
 * (`isTimeZone`).
 */
export function isArmed(janela: Janela | null, fusoHorario: string, epochMs: number): boolean {
  if (janela === null) return true
  const { hour, weekday } = clockOf(fusoHorario)(epochMs)
  const named = (day: number) => janela.dias.length === 0 || janela.dias.includes(day)
  const { inicio, fim } = janela
  if (inicio === fim) return named(weekday)
  if (inicio < fim) return named(weekday) && hour >= inicio && hour < fim
  return (hour >= inicio && named(weekday)) || (hour < fim && named((weekday + 6) % 7))
}
