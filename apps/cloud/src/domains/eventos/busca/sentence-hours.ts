import type { Found } from './sentence-found.ts'

/** An hour: `8`, `8h`, `8h30`, `8:30`, `8 horas`. Groups: hour, minutes after h, minutes after the colon. */
const HOUR = '(\\d{1,2})(?:h(\\d{2})?|:(\\d{2})| horas?| hs?)?'
/** The same with its mark. */
const MARKED = '(\\d{1,2})(?:h(\\d{2})?|:(\\d{2})| horas?| hs?)'

const rule = (text: string): RegExp => new RegExp(`(?<=^| )(?:${text})(?= |$)`)

/** From, inclusive, to, exclusive; a part of the day that ends before it begins ends on the next day. */
const PARTS = {
  madrugada: [0, 6],
  manha: [6, 12],
  tarde: [12, 18],
  noite: [18, 6],
  'meia noite': [0, 1],
  'meio dia': [12, 13],
  dia: [6, 18],
} as const

/** `10 da noite`. */
const CLOCK_AND_PART = rule(`(?:as |a )?${HOUR} da (madrugada|manha|tarde|noite)`)
const RANGES = [
  rule(`(?:entre|das|de|da) ${HOUR} (?:e|as|a|ate|ate as) (?:as )?${MARKED}`),
  rule(`(?:das|entre as) ${HOUR} (?:e|as|ate|ate as) (?:as )?${HOUR}`),
  rule(`${MARKED} (?:(?:as|a|ate|ate as|e) )?${MARKED}`),
]
const AFTER = [
  rule(`(?:depois|a partir|apos|desde) (?:(?:das|de|as) )?${MARKED}`),
  rule(`(?:depois|a partir) das ${HOUR}`),
]
const BEFORE = [rule(`(?:antes|ate) (?:(?:das|de|as) )?${MARKED}`), rule(`(?:antes das|ate as) ${HOUR}`)]
const AT = [rule(`(?:as |a )${HOUR}`), rule(MARKED)]
const PART = rule(
  '(?:(?:de|a|da|na|pela|durante a) )?(meia noite|madrugada|manha|tarde|noite)|' +
    '(?:ao )?(meio dia)|(?:de|durante o) (dia)',
)

const DAY = 24 * 60

/** `HH:MM` of minutes after midnight. */
const text = (minutes: number): string => {
  const within = ((minutes % DAY) + DAY) % DAY
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}

/** Minutes after midnight of three groups of `HOUR` from `at`; null: no hour of a day. */
function minutesAt(match: RegExpExecArray, at: number): number | null {
  const [hour, minutes] = [Number(match[at]), Number(match[at + 1] ?? match[at + 2] ?? 0)]
  return hour > 24 || minutes > 59 || (hour === 24 && minutes > 0) ? null : hour * 60 + minutes
}

const found = ({ index, 0: { length } }: RegExpExecArray, from: number | null, to: number | null): Found | null =>
  from === null || to === null || text(from) === text(to) ? null : { index, length, valor: text(from), ate: text(to) }

/** The hours of day in a folded sentence, from (inclusive) to (exclusive): `valor` and `ate` as `HH:MM`. */
export function hoursIn(line: string): Found | null {
  const ranges = RANGES.map((one) => one.exec(line)).find((one) => one !== null)
  if (ranges) return found(ranges, minutesAt(ranges, 1), minutesAt(ranges, 4))
  const spoken = CLOCK_AND_PART.exec(line)
  if (spoken) {
    const at = minutesAt(spoken, 1)
    const later = at !== null && at < DAY / 2 && (spoken[4] === 'tarde' || spoken[4] === 'noite') ? DAY / 2 : 0
    return found(spoken, at === null ? null : at + later, at === null ? null : at + later + 60)
  }
  const first = (rules: readonly RegExp[]) => rules.map((one) => one.exec(line)).find((one) => one !== null)
  const after = first(AFTER)
  if (after) return found(after, minutesAt(after, 1), DAY)
  const before = first(BEFORE)
  if (before) return found(before, 0, minutesAt(before, 1))
  const at = first(AT)
  if (at) {
    const minutes = minutesAt(at, 1)
    return found(at, minutes, minutes === null ? null : minutes + 60)
  }
  const part = PART.exec(line)
  const name = part?.[1] ?? part?.[2] ?? part?.[3]
  if (!part || name === undefined || !Object.hasOwn(PARTS, name)) return null
  const [from, to] = PARTS[name as keyof typeof PARTS]
  return found(part, from * 60, to * 60)
}
