/** One window; its schema and meaning: contracts, agenda.ts and horarios.ts. Hours, with halves. */
export interface Janela {
  readonly inicio: number
  readonly fim: number
  readonly dias: readonly number[]
}

/** Windows of which one must be open; null: always armed. */
export type Janelas = Janela | readonly Janela[] | null

/** Dates that count as a weekday. */
export interface Feriados {
  /** Local dates, `YYYY-MM-DD`. */
  readonly datas: readonly string[]
  /** The weekday that they count as, 0 = Monday. */
  readonly dia: number
}

/** Monday first, as in `dias` (decisions of the interface, Agenda). */
const DAY_MS = 86_400_000
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Local time: hour with its minutes as a fraction, weekday (0 = Monday), date `YYYY-MM-DD`, and the date before. */
interface WallClock {
  readonly hour: number
  readonly weekday: number
  readonly date: string
  readonly dayBefore: string
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
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  let read: (WallClock & { readonly minute: number }) | null = null
  return (epochMs) => {
    const minute = Math.floor(epochMs / 60_000)
    if (read?.minute === minute) return read
    const parts = formatter.formatToParts(epochMs)
    const value = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
    const date = `${value('year')}-${value('month')}-${value('day')}`
    const dayBefore = new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10)
    const hour = Number(value('hour')) + Number(value('minute')) / 60
    read = { minute, hour, weekday: WEEKDAYS.indexOf(value('weekday')), date, dayBefore }
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
 * Whether one of the windows is open at `epochMs` (UTC). A window is [inicio, fim) in the local time of `fusoHorario`.
 * Local time comes from the runtime's time zone data on every call, never from a stored offset. An hour that daylight
 * saving repeats counts twice; a skipped hour does not exist. After a change of a country's law, an update of Node is
 * enough. Past midnight the window belongs to the day on which it started. Equal hours cover the whole of the named
 * days. A date of `feriados` counts as the weekday that they name.
 * @throws RangeError on a time zone that does not exist (`isTimeZone`)
 */
export function isArmed(
  janelas: Janelas,
  fusoHorario: string,
  epochMs: number,
  feriados: Feriados | null = null,
): boolean {
  if (janelas === null) return true
  const { hour, weekday, date, dayBefore } = clockOf(fusoHorario)(epochMs)
  const dayOf = (day: string, own: number) => (feriados?.datas.includes(day) ? feriados.dia : own)
  const [today, yesterday] = [dayOf(date, weekday), dayOf(dayBefore, (weekday + 6) % 7)]
  const windows = 'inicio' in janelas ? [janelas] : janelas
  return windows.some(({ inicio, fim, dias }) => {
    const named = (day: number) => dias.length === 0 || dias.includes(day)
    if (inicio === fim) return named(today)
    if (inicio < fim) return named(today) && hour >= inicio && hour < fim
    return (hour >= inicio && named(today)) || (hour < fim && named(yesterday))
  })
}
