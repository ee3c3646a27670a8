import { describe, expect, it } from 'vitest'
import { isArmed, isTimeZone, type Janela } from './agenda.ts'

const SP = 'America/Sao_Paulo'
const at = (iso: string) => Date.parse(iso)
const [SEG, TER, SAB, DOM] = [0, 1, 5, 6]
const armed = (inicio: number, fim: number, dias: number[], iso: string, zone = SP) =>
  isArmed({ inicio, fim, dias }, zone, at(iso))

// 2026-11-09 is a Monday; São Paulo is UTC-3 all year since 2019.
describe('isArmed', () => {
  it('is armed without a window', () => {
    expect(isArmed(null, SP, 0)).toBe(true)
  })

  it.each([
    ['08:59 local', '2026-11-09T11:59:59Z', false],
    ['09:00 local', '2026-11-09T12:00:00Z', true],
    ['17:59 local', '2026-11-09T20:59:59Z', true],
    ['18:00 local', '2026-11-09T21:00:00Z', false],
  ])('9 to 18 includes its start and excludes its end: %s', (_, iso, expected) => {
    expect(armed(9, 18, [], iso)).toBe(expected)
  })

  it('opens on the named days only', () => {
    expect(armed(9, 18, [SEG], '2026-11-09T15:00:00Z')).toBe(true)
    expect(armed(9, 18, [SEG], '2026-11-10T15:00:00Z')).toBe(false)
  })

  it('accepts 24 as the end of the day', () => {
    expect(armed(18, 24, [SEG], '2026-11-10T02:59:59Z')).toBe(true)
    expect(armed(18, 24, [SEG], '2026-11-10T03:00:00Z')).toBe(false)
    expect(armed(0, 24, [SEG], '2026-11-09T03:00:00Z')).toBe(true)
    expect(armed(0, 24, [SEG], '2026-11-09T02:59:59Z')).toBe(false)
  })

  it('a window past midnight belongs to the day on which it started', () => {
    // Monday 22h to Tuesday 6h
    expect(armed(22, 6, [SEG], '2026-11-10T01:00:00Z')).toBe(true)
    expect(armed(22, 6, [SEG], '2026-11-10T08:59:00Z')).toBe(true)
    expect(armed(22, 6, [SEG], '2026-11-10T09:00:00Z')).toBe(false)
    // the first hours of Monday belong to Sunday's window
    expect(armed(22, 6, [SEG], '2026-11-09T06:00:00Z')).toBe(false)
    expect(armed(22, 6, [DOM], '2026-11-09T06:00:00Z')).toBe(true)
    // a window that ends at midnight has no part on the next day
    expect(armed(22, 0, [SEG], '2026-11-10T02:30:00Z')).toBe(true)
    expect(armed(22, 0, [SEG], '2026-11-10T03:30:00Z')).toBe(false)
  })

  it('equal hours cover the whole of the named days', () => {
    expect(armed(8, 8, [TER], '2026-11-10T03:00:00Z')).toBe(true)
    expect(armed(8, 8, [TER], '2026-11-11T02:59:00Z')).toBe(true)
    expect(armed(8, 8, [TER], '2026-11-11T03:00:00Z')).toBe(false)
    expect(armed(8, 8, [], '2026-11-11T03:00:00Z')).toBe(true)
  })

  it('counts the hour that the end of daylight saving repeats twice (São Paulo, 18 February 2018)', () => {
    // Saturday 23h runs from 01:00Z to 03:00Z; Sunday begins at 03:00Z
    for (const iso of ['2018-02-18T01:30:00Z', '2018-02-18T02:30:00Z']) {
      expect(armed(23, 24, [SAB], iso)).toBe(true)
      expect(armed(0, 1, [DOM], iso)).toBe(false)
      expect(armed(22, 6, [DOM], iso)).toBe(false)
    }
    expect(armed(0, 1, [DOM], '2018-02-18T03:00:00Z')).toBe(true)
    expect(armed(22, 6, [SAB], '2018-02-18T08:59:00Z')).toBe(true)
    expect(armed(22, 6, [SAB], '2018-02-18T09:00:00Z')).toBe(false)
  })

  it('skips the midnight that the start of daylight saving removes (São Paulo, 4 November 2018)', () => {
    // 23:59 of Saturday (02:59Z) is followed by 01:00 of Sunday (03:00Z)
    expect(armed(0, 1, [DOM], '2018-11-04T02:59:59Z')).toBe(false)
    expect(armed(0, 1, [DOM], '2018-11-04T03:00:00Z')).toBe(false)
    expect(armed(1, 2, [DOM], '2018-11-04T03:00:00Z')).toBe(true)
    expect(armed(22, 6, [SAB], '2018-11-04T03:00:00Z')).toBe(true)
    expect(armed(22, 6, [SAB], '2018-11-04T07:59:59Z')).toBe(true)
    expect(armed(22, 6, [SAB], '2018-11-04T08:00:00Z')).toBe(false)
  })

  it('handles Asunción, where the clocks changed on other nights', () => {
    const zone = 'America/Asuncion'
    // clocks back at midnight of 25 March 2018: Saturday 23h runs from 02:00Z to 04:00Z
    expect(armed(23, 24, [SAB], '2018-03-25T02:30:00Z', zone)).toBe(true)
    expect(armed(23, 24, [SAB], '2018-03-25T03:30:00Z', zone)).toBe(true)
    expect(armed(0, 1, [DOM], '2018-03-25T04:00:00Z', zone)).toBe(true)
    // clocks forward at midnight of 7 October 2018 (04:00Z): Sunday begins at 1h
    expect(armed(0, 1, [DOM], '2018-10-07T04:00:00Z', zone)).toBe(false)
    expect(armed(1, 2, [DOM], '2018-10-07T04:00:00Z', zone)).toBe(true)
  })
})

it('recognises existing time zones', () => {
  expect(isTimeZone(SP)).toBe(true)
  expect(isTimeZone('Marte/Olympus')).toBe(false)
  expect(() => armed(1, 2, [], '2018-10-07T04:00:00Z', 'Marte/Olympus')).toThrow(RangeError)
})

describe('several windows and holidays', () => {
  const shop = [
    { inicio: 18.5, fim: 6, dias: [0, 1, 2, 3, 4] },
    { inicio: 12, fim: 13.5, dias: [SEG] },
    { inicio: 0, fim: 24, dias: [DOM] },
  ]
  // Tuesday 2026-11-10 counts as a Sunday.
  const feriados = { datas: ['2026-11-10'], dia: DOM }

  it.each([
    ['2026-11-09T21:29:59Z', false, 'Monday 18:29'],
    ['2026-11-09T21:30:00Z', true, 'Monday 18:30'],
    ['2026-11-09T16:29:59Z', true, 'Monday 13:29, the second window'],
    ['2026-11-09T16:30:00Z', false, 'Monday 13:30'],
    ['2026-11-10T08:59:59Z', true, 'Tuesday 05:59 of the window of Monday'],
    ['2026-11-10T09:00:00Z', false, 'Tuesday 06:00'],
    ['2026-11-14T15:00:00Z', false, 'Saturday'],
    ['2026-11-15T15:00:00Z', true, 'Sunday'],
  ])('%s: %s, %s', (iso, expected) => {
    expect(isArmed(shop, SP, at(iso))).toBe(expected)
  })

  it.each([
    ['2026-11-10T03:00:00Z', true, 'midnight: the holiday begins, and counts as a Sunday'],
    ['2026-11-10T15:00:00Z', true, 'noon of the holiday'],
    ['2026-11-11T02:59:59Z', true, 'the last second of the holiday'],
    ['2026-11-11T03:00:00Z', false, 'the night after: no window of a Sunday passes midnight'],
    ['2026-11-11T21:30:00Z', true, 'the next evening is a Wednesday again'],
  ])('%s on the holiday: %s, %s', (iso, expected) => {
    expect(isArmed(shop, SP, at(iso), feriados)).toBe(expected)
  })

  it('the night before a holiday keeps its window of Monday, and a local date differs from that of UTC', () => {
    const nights = [{ inicio: 22, fim: 6, dias: [SEG] }]
    expect(isArmed(nights, SP, at('2026-11-10T08:00:00Z'), feriados)).toBe(true)
    // Manaus is UTC-4: at 03:30Z it is still Monday there.
    const sundays = [{ inicio: 0, fim: 24, dias: [DOM] }]
    expect(isArmed(sundays, 'America/Manaus', at('2026-11-10T03:30:00Z'), feriados)).toBe(false)
    expect(isArmed(sundays, SP, at('2026-11-10T03:30:00Z'), feriados)).toBe(true)
  })

  it('a holiday that counts as a day with nights arms the night that follows it', () => {
    const asMonday = { datas: ['2026-11-14'], dia: SEG }
    expect(isArmed(shop, SP, at('2026-11-15T02:00:00Z'), asMonday)).toBe(true)
    expect(isArmed([shop[0] as Janela], SP, at('2026-11-15T08:00:00Z'), asMonday)).toBe(true)
    expect(isArmed([shop[0] as Janela], SP, at('2026-11-15T08:00:00Z'))).toBe(false)
  })
})
