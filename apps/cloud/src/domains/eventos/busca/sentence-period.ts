import type { Found } from './sentence-found.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado']
const MONTHS = 'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')
const NUMBERS = ['zero', 'um', 'dois', 'tres', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove', 'dez']
const MONTH = MONTHS.join('|')
const DATE = `(\\d{1,2})\\/(\\d{1,2})(?:\\/(\\d{2,4}))?`
const COUNT = `(\\d{1,3}|${NUMBERS.join('|')})`

/** Days as UTC midnights, epoch ms, both included. */
type Days = readonly [number, number] | null
type Rule = readonly [pattern: string, days: (groups: readonly (string | undefined)[], today: number) => Days]

const dayOf = (day: number): Days => [day, day]
const weekdayOf = (day: number): number => new Date(day).getUTCDay()
const mondayOf = (day: number): number => day - ((weekdayOf(day) + 6) % 7) * DAY_MS
/** First day of the month `months` after that of `day`. */
const monthOf = (day: number, months: number): number =>
  Date.UTC(new Date(day).getUTCFullYear(), new Date(day).getUTCMonth() + months, 1)
const countOf = (word = ''): number => (/^\d/.test(word) ? Number(word) : NUMBERS.indexOf(word))

/** A day of the calendar; null: it does not exist. */
function calendarDay(year: number, month: number, date: number): number | null {
  const day = new Date(Date.UTC(year, month, date))
  return day.getUTCMonth() === month && day.getUTCDate() === date ? day.getTime() : null
}

/** The date with that year, else the newest one that is not after today. */
function dateOf(date: string | undefined, month: number, year: string | undefined, today: number): number | null {
  if (year !== undefined) return calendarDay(Number(year.length === 2 ? `20${year}` : year), month, Number(date))
  const now = new Date(today).getUTCFullYear()
  const days = [now, now - 1, now - 2, now - 3, now - 4].map((one) => calendarDay(one, month, Number(date)))
  return days.find((one) => one !== null && one <= today) ?? null
}

/** The newest day with that number in its month, not after today. */
function numberedDay(number: string | undefined, today: number): number | null {
  for (let months = 0; months > -3; months -= 1) {
    const first = new Date(monthOf(today, months))
    const day = calendarDay(first.getUTCFullYear(), first.getUTCMonth(), Number(number))
    if (day !== null && day <= today) return day
  }
  return null
}

const between = (first: number | null, last: number | null): Days =>
  first === null || last === null ? null : first <= last ? [first, last] : [last, first]
const single = (day: number | null): Days => (day === null ? null : dayOf(day))

/** The newest Saturday and Sunday that have begun. */
const weekend = (today: number): readonly [number, number] => {
  const saturday = today - ((weekdayOf(today) + 1) % 7) * DAY_MS
  return [saturday, saturday + DAY_MS]
}

/** The first that matches counts. */
const RULES: readonly Rule[] = [
  ['antes de ontem|anteontem', (_, today) => dayOf(today - 2 * DAY_MS)],
  ['ontem', (_, today) => dayOf(today - DAY_MS)],
  ['(?<=noite )passada', (_, today) => dayOf(today - DAY_MS)],
  ['hoje|(?:nesta|esta|nessa|essa|desta)(?= (?:noite|manha|tarde|madrugada))', (_, today) => dayOf(today)],
  [
    `(?:(?:entre|de) (?:os )?(?:dias? )?)?${DATE} (?:e|a|ate|ao)(?: o)?(?: dia)? ${DATE}`,
    ([, a, b, c, d, e, f], today) => between(dateOf(a, Number(b) - 1, c, today), dateOf(d, Number(e) - 1, f, today)),
  ],
  [
    '(?:entre os dias|dos dias|dias|do dia|dia) (\\d{1,2}) (?:e|a|ate|ao)(?: o)?(?: dia)? (\\d{1,2})(?![h:])',
    ([, a, b], today) => {
      const last = numberedDay(b, today)
      return last === null ? null : between(numberedDay(a, last), last)
    },
  ],
  [`(?:(?:no|do) )?(?:dia )?${DATE}`, ([, a, b, c], today) => single(dateOf(a, Number(b) - 1, c, today))],
  [
    `(?:(?:no|do) )?(?:dia )?(\\d{1,2}) de (${MONTH})(?: de (\\d{4}))?`,
    ([, a, b, c], today) => single(dateOf(a, MONTHS.indexOf(b ?? ''), c, today)),
  ],
  ['(?:(?:no|do) )?dia (\\d{1,2})', ([, a], today) => single(numberedDay(a, today))],
  ['(?:na )?semana passada', (_, today) => [mondayOf(today) - 7 * DAY_MS, mondayOf(today) - DAY_MS]],
  ['(?:nesta|esta|nessa|essa|desta) semana', (_, today) => [mondayOf(today), today]],
  ['(?:na )?ultima semana', (_, today) => [today - 6 * DAY_MS, today]],
  [
    '(?:(?:no|neste|este|nesse|esse|ultimo) )*(?:fim|final) de semana( passado)?',
    ([, passed], today) => {
      const [saturday, sunday] = weekend(today)
      const back = passed !== undefined && today <= sunday ? 7 * DAY_MS : 0
      return [saturday - back, sunday - back]
    },
  ],
  ['(?:no )?mes passado', (_, today) => [monthOf(today, -1), monthOf(today, 0) - DAY_MS]],
  ['(?:neste|este|nesse|esse|deste) mes', (_, today) => [monthOf(today, 0), today]],
  ['(?:no )?ultimo mes', (_, today) => [today - 29 * DAY_MS, today]],
  [`(?:nos )?ultimos ${COUNT} dias`, ([, n], today) => [today - (countOf(n) - 1) * DAY_MS, today]],
  [`ha ${COUNT} dias?(?: atras)?`, ([, n], today) => dayOf(today - countOf(n) * DAY_MS)],
  [
    `(?:(?:em|no mes de|mes de) )(${MONTH})(?: de (\\d{4}))?`,
    ([, name, year], today) => {
      const first = dateOf('1', MONTHS.indexOf(name ?? ''), year, today)
      return first === null ? null : [first, Math.min(monthOf(first, 1) - DAY_MS, Math.max(first, today))]
    },
  ],
  [
    `(?:(?:na|no|de) )?(ultim[oa] )?(${WEEKDAYS.join('|')})(?: feira)?( passad[oa])?`,
    ([, last, name, passed], today) => {
      const back = (weekdayOf(today) - WEEKDAYS.indexOf(name ?? '') + 7) % 7
      const strict = back === 0 && (last !== undefined || passed !== undefined)
      return dayOf(today - (strict ? 7 : back) * DAY_MS)
    },
  ],
]

const COMPILED = RULES.map(
  ([pattern, days]) => [new RegExp(`(?<=^| )(desde |a partir de )?(?:${pattern})(?= |$)`), days] as const,
)

const text = (day: number): string => new Date(day).toISOString().slice(0, 10)

/**
 * The days in a folded sentence, both included: `valor` and `ate` as `2026-11-21`. Without a year a date is the newest
 * one that is not after today; a weekday is the newest one, today included.
 * @param hoje today in the time zone of the Empresa
 */
export function periodIn(line: string, hoje: string): Found | null {
  const today = Date.parse(hoje)
  for (const [pattern, daysOf] of COMPILED) {
    const match = pattern.exec(line)
    const [whole = '', since, ...groups] = match ?? []
    const days = match && daysOf([whole, ...groups], today)
    if (match && days?.every((day) => Math.abs(day - today) < 40_000 * DAY_MS))
      return {
        index: match.index,
        length: whole.length,
        valor: text(days[0]),
        ate: text(since === undefined ? days[1] : Math.max(days[0], today)),
      }
  }
  return null
}
