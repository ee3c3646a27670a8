import { expect, it } from 'vitest'
import { type Crossing, scoreCrossings } from './crossing-score.ts'

const at = (s: number, direction: Crossing['direction'] = 'ab', line = 'a'): Crossing => ({ line, s, direction })

it('finds a crossing up to 1.5 s away, on its line and in its direction', () => {
  expect(scoreCrossings([at(10)], [at(11.5)]).found).toHaveLength(1)
  for (const other of [at(11.6), at(10, 'ba'), at(10, 'ab', 'b')])
    expect(scoreCrossings([at(10)], [other]).missed).toEqual([at(10)])
})

it('separates doubles from wrong events', () => {
  const score = scoreCrossings([at(10)], [at(10.2), at(12), at(10, 'ba'), at(20)])
  expect(score.doubles).toEqual([at(12)])
  expect(score.wrong).toEqual([at(10, 'ba'), at(20)])
})

it('gives each of two people who cross together one event', () => {
  expect(scoreCrossings([at(10), at(11)], [at(10.8), at(12)])).toMatchObject({ missed: [], doubles: [], wrong: [] })
})
