import { expect, it } from 'vitest'
import { intervalText, intervalWithin } from './interval.ts'

const whole = { desde: Date.UTC(2026, 10, 21), ate: Date.UTC(2026, 10, 22) }
const part = { desde: Date.UTC(2026, 10, 21, 12, 30), ate: Date.UTC(2026, 10, 21, 13) }

it('writes a part of a day as an interval, and reads the same one', () => {
  expect(intervalText(part)).toBe('2026-11-21T12:30:00.000Z/2026-11-21T13:00:00.000Z')
  expect(intervalWithin(intervalText(part), whole)).toEqual(part)
  expect(intervalWithin(intervalText(whole), whole)).toEqual(whole)
})

it.each([
  ['nothing', undefined],
  ['another text', 'ontem'],
  ['one instant', '2026-11-21T12:30:00.000Z'],
  ['an end before the start', '2026-11-21T13:00:00.000Z/2026-11-21T12:30:00.000Z'],
  ['no time at all', '2026-11-21T13:00:00.000Z/2026-11-21T13:00:00.000Z'],
  ['a part of another day', '2026-11-20T12:30:00.000Z/2026-11-20T13:00:00.000Z'],
  ['an end after the day', '2026-11-21T12:30:00.000Z/2026-11-22T00:00:01.000Z'],
])('reads no interval from %s', (_, text) => {
  expect(intervalWithin(text, whole)).toBeNull()
})
