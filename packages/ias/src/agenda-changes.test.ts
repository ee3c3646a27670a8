import { describe, expect, it } from 'vitest'
import { isArmed, isChannelOpen, type Janela } from './agenda.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const [SEG, SEX, SAB, DOM] = [0, 4, 5, 6]

/**
 * The offsets by the law of each country: `[instant, hours east of UTC from then on]`. The expected values do not come
 * from tzdata.
 */
const laws = {
  'America/Sao_Paulo': [
    ['2017-10-15T03:00:00Z', -2],
    ['2018-02-18T02:00:00Z', -3],
    ['2018-11-04T03:00:00Z', -2],
    ['2019-02-17T02:00:00Z', -3],
  ],
  'America/Asuncion': [
    ['2023-03-26T03:00:00Z', -4],
    ['2023-10-01T04:00:00Z', -3],
    ['2024-03-24T03:00:00Z', -4],
    // That month summer time became permanent: no change in March 2025 or later.
    ['2024-10-06T04:00:00Z', -3],
  ],
} as const
type Zone = keyof typeof laws

const changes = Object.fromEntries(
  Object.entries(laws).map(([zone, law]) => [zone, law.map(([from, offset]) => [Date.parse(from), offset] as const)]),
) as Record<Zone, (readonly [number, number])[]>

const offsetAt = (zone: Zone, epochMs: number): number =>
  changes[zone].findLast(([from]) => from <= epochMs)?.[1] ?? Number.NaN

/**
 * A literal implementation of the Agenda: every named day opens one interval of the wall clock. The Agenda is open
 * while `wall` is in one of them. Wall clock and days are milliseconds, computed as in UTC.
 */
function armedByTheBook({ inicio, fim, dias }: Janela, wall: number): boolean {
  const today = Math.floor(wall / DAY)
  return [today - 1, today].some((day) => {
    // 1970-01-01 was a Thursday, day 3 of `dias`.
    if (dias.length > 0 && !dias.includes((day + 3) % 7)) return false
    const from = day * DAY + (inicio === fim ? 0 : inicio * HOUR)
    const to = day * DAY + (inicio === fim ? DAY : (inicio < fim ? fim : fim + 24) * HOUR)
    return from <= wall && wall < to
  })
}

const days: [name: string, zone: Zone, from: string][] = [
  ['São Paulo, clocks back at midnight', 'America/Sao_Paulo', '2018-02-16T12:00:00Z'],
  ['São Paulo, a skipped midnight', 'America/Sao_Paulo', '2018-11-02T12:00:00Z'],
  ['São Paulo, the last change', 'America/Sao_Paulo', '2019-02-15T12:00:00Z'],
  ['São Paulo, the night on which it used to change', 'America/Sao_Paulo', '2026-11-20T12:00:00Z'],
  ['Asunción, clocks forward in 2023', 'America/Asuncion', '2023-09-29T12:00:00Z'],
  ['Asunción, clocks back in 2024', 'America/Asuncion', '2024-03-22T12:00:00Z'],
  ['Asunción, clocks forward for the last time', 'America/Asuncion', '2024-10-04T12:00:00Z'],
  ['Asunción, clocks that were not put back in 2025', 'America/Asuncion', '2025-03-21T12:00:00Z'],
  ['Asunción, winter 2026', 'America/Asuncion', '2026-06-19T12:00:00Z'],
]

const someDays: number[][] = [[], [SAB], [DOM], [SEX, DOM], [SEG]]
const window = (inicio: number, fim: number, dias: number[]): Janela => ({ inicio, fim, dias })
const hours = (count: number) => Array.from({ length: count }, (_, hour) => hour)

/** `[instant, window]` of the first differences from the literal implementation. */
function disagreements(zone: Zone, from: string, stepMs: number, windows: readonly Janela[]): unknown[] {
  const found: unknown[] = []
  for (let at = Date.parse(from); at < Date.parse(from) + 3 * DAY; at += stepMs) {
    const wall = at + offsetAt(zone, at) * HOUR
    for (const janela of windows)
      if (isArmed(janela, zone, at) !== armedByTheBook(janela, wall))
        found.push([new Date(at).toISOString(), JSON.stringify(janela)])
  }
  return found.slice(0, 5)
}

describe.each(days)('%s', (_, zone, from) => {
  it('every possible window, at each half hour of three days', () => {
    const windows = hours(24).flatMap((inicio) => hours(25).map((fim) => window(inicio, fim, [SAB])))
    expect(disagreements(zone, from, HOUR / 2, windows)).toEqual([])
  })

  it('every minute of three days, with some days and with all days', () => {
    const windows = [
      [9, 18],
      [22, 6],
      [23, 1],
      [0, 1],
      [1, 2],
      [23, 24],
      [22, 0],
      [8, 8],
      [0, 24],
    ] as const
    const all = windows.flatMap(([inicio, fim]) => someDays.map((dias) => window(inicio, fim, dias)))
    expect(disagreements(zone, from, 60_000, all)).toEqual([])
  })
})

it('counts days of 23 and of 25 hours as whole days', () => {
  const armedHours = (from: string) => {
    const sunday = window(8, 8, [DOM])
    return hours(48).filter((hour) => isArmed(sunday, 'America/Sao_Paulo', Date.parse(from) + hour * HOUR)).length
  }
  expect(armedHours('2018-11-03T12:00:00Z')).toBe(23)
  expect(armedHours('2018-11-10T12:00:00Z')).toBe(24)
  const saturday = window(8, 8, [SAB])
  const long = hours(48).filter((hour) =>
    isArmed(saturday, 'America/Sao_Paulo', Date.parse('2018-02-16T12:00:00Z') + hour * HOUR),
  )
  expect(long).toHaveLength(25)
})

it('a channel without an Agenda is always open, a channel with hours only in those hours', () => {
  const monday21h = Date.parse('2026-11-10T00:00:00Z')
  const open = (agenda: Parameters<typeof isChannelOpen>[0]) => isChannelOpen(agenda, 'America/Sao_Paulo', monday21h)
  expect(open({})).toBe(true)
  expect(open({ inicio: 8, fim: 18 })).toBe(false)
  expect(open({ inicio: 20, fim: 6 })).toBe(true)
  expect(open({ inicio: 20, fim: 6, dias: [DOM] })).toBe(false)
  expect(open({ inicio: 20, fim: 6, dias: [SEG] })).toBe(true)
})
