import { expect, it } from 'vitest'
import { repeatedLabels } from './run-segment.ts'

it('repeats the labels in each turn of the loop', () => {
  const label = { startS: 2, endS: 4, detail: '', required: {} }
  const whole = { startS: 0, endS: Number.POSITIVE_INFINITY }
  const { expected, judged } = repeatedLabels({ expected: [label], judged: [whole] }, 10, 25)
  expect(expected.map(({ startS, endS }) => [startS, endS])).toEqual([
    [2, 4],
    [12, 14],
    [22, 24],
  ])
  expect(judged.map(({ startS, endS }) => [startS, endS])).toEqual([
    [0, 10],
    [10, 20],
    [20, 30],
  ])
})
