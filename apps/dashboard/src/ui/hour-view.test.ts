import { describe, expect, it } from 'vitest'
import { markOf, nearestStop, nextStop, pannedTo, SHORTEST_MS, ticksOf, zoomed } from './hour-view.ts'

const HOUR_MS = 3_600_000
const desde = Date.parse('2026-11-22T03:00:00Z')
const day = { desde, ate: desde + 24 * HOUR_MS }
const at = (hours: number) => desde + hours * HOUR_MS
const iso = (hours: number) => new Date(at(hours)).toISOString()
const view = (from: number, to: number) => ({ desde: at(from), ate: at(to) })

it.each([
  ['inside the view', iso(6), iso(12), { start: 0.25, length: 0.25 }],
  ['across both ends', iso(-5), iso(30), { start: 0, length: 1 }],
  ['still open', iso(12), null, { start: 0.5, length: 0.25 }],
  ['before the view', iso(-5), iso(-4), null],
  ['without a length', iso(6), iso(6), { start: 0.25, length: 0 }],
])('marks a period %s', (_, inicio, fim, mark) => {
  expect(markOf({ inicio, fim }, day, at(18))).toEqual(mark)
})

describe('the zoom of a day', () => {
  it('keeps the instant under the pointer in its place', () => expect(zoomed(day, day, 2, at(6))).toEqual(view(3, 15)))
  it('stays within the day', () => {
    expect(zoomed(view(3, 15), day, 2, at(3))).toEqual(view(3, 9))
    expect(zoomed(view(3, 9), day, 0.5, at(3))).toEqual(view(3, 15))
    expect(zoomed(view(0, 6), day, 0.5, at(6))).toEqual(view(0, 12))
    expect(zoomed(view(3, 15), day, 0.1, at(9))).toEqual(day)
  })
  it('ends at a few minutes', () => {
    const { desde: from, ate } = zoomed(day, day, 1_000, at(12))
    expect(ate - from).toBe(SHORTEST_MS)
    expect(from).toBeLessThanOrEqual(at(12))
    expect(ate).toBeGreaterThanOrEqual(at(12))
  })
  it('moves to an instant that it does not show, and only then', () => {
    expect(pannedTo(view(3, 9), day, at(4))).toEqual(view(3, 9))
    expect(pannedTo(view(3, 9), day, at(12))).toEqual(view(9, 15))
    expect(pannedTo(view(3, 9), day, at(24))).toEqual(view(18, 24))
    expect(pannedTo(view(12, 18), day, at(1))).toEqual(view(0, 6))
  })
})

describe('the hours of a bar', () => {
  it.each([
    ['a day', day, 6, [0, 6, 12, 18, 24]],
    ['a day of a wide bar', day, 24, Array.from({ length: 25 }, (_, hour) => hour)],
    ['six hours', view(3.5, 9.5), 6, [4, 5, 6, 7, 8, 9]],
    ['half an hour', view(8, 8.5), 6, [8, 8 + 1 / 12, 8 + 1 / 6, 8.25, 8 + 1 / 3, 8 + 5 / 12, 8.5]],
  ])('of %s', (_, shown, most, hours) => expect(ticksOf(shown, day, most)).toEqual(hours.map(at)))
})

describe('the marks of a bar', () => {
  const stops = [at(1), at(2), at(20)]
  it('are visited in both directions', () => {
    expect(nextStop(stops, at(2), 1)).toBe(at(20))
    expect(nextStop(stops, at(2), -1)).toBe(at(1))
    expect(nextStop(stops, at(20), 1)).toBe(at(20))
    expect(nextStop(stops, null, 1)).toBe(at(1))
    expect(nextStop(stops, null, -1)).toBe(at(20))
    expect(nextStop([], at(2), 1)).toBeNull()
  })
  it('are found near the pointer', () => {
    expect(nearestStop(stops, at(1.4), HOUR_MS)).toBe(at(1))
    expect(nearestStop(stops, at(1.6), HOUR_MS)).toBe(at(2))
    expect(nearestStop(stops, at(10), HOUR_MS)).toBeNull()
  })
})
