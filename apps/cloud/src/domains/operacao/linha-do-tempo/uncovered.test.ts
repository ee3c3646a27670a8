import { expect, it } from 'vitest'
import { uncovered } from './uncovered.ts'

const whole = { inicio: 100, fim: 200 }
it.each([
  ['nobody', [], [[100, 200]]],
  ['somebody all the time', [[50, 250]], []],
  [
    'people one after the other',
    [
      [90, 120],
      [120, 150],
      [180, 300],
    ],
    [[150, 180]],
  ],
  [
    'a short presence within a long one',
    [
      [90, 170],
      [110, 120],
    ],
    [[170, 200]],
  ],
  [
    'gaps that are too short',
    [
      [105, 150],
      [155, 195],
    ],
    [],
  ],
  ['a presence after the period', [[300, 400]], [[100, 200]]],
] as [string, [number, number][], [number, number][]][])('with %s', (_, covers, gaps) => {
  const given = covers.map(([inicio, fim]) => ({ inicio, fim }))
  expect(uncovered(whole, given, 10).map(({ inicio, fim }) => [inicio, fim])).toEqual(gaps)
})
