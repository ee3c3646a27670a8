import { expect, it } from 'vitest'
import { forecastTime } from './forecast-time.ts'

it.each([
  [0, 'dias', 0],
  [13, 'dias', 13],
  [14, 'semanas', 2],
  [41, 'semanas', 5],
  [90, 'semanas', 12],
  [91, 'meses', 3],
  [729, 'meses', 24],
  [800, 'anos', 2],
])('shows %i days as %s: %i', (days, unit, count) => {
  expect(forecastTime(days)).toEqual({ unit, count })
})
