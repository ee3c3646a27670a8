import { expect, it } from 'vitest'
import { createStopwatch } from './stopwatch.ts'

it('counts the actions of each step alone, and all of them in the total', async () => {
  const lines: string[] = []
  let now = 0
  const stopwatch = createStopwatch(
    (line) => lines.push(line),
    () => now,
  )
  await stopwatch.step('sign in', async () => {
    stopwatch.actions.fields += 2
    stopwatch.actions.clicks += 1
    now += 1500
  })
  const answer = await stopwatch.step('answer', async () => {
    stopwatch.actions.keys += 1
    now += 250
    return 'falso'
  })
  stopwatch.total()
  expect(answer).toBe('falso')
  expect(lines.slice(2)).toEqual([
    '| sign in | 1 | 2 | 0 | 1.5 |',
    '| answer | 0 | 0 | 1 | 0.3 |',
    '| total | 1 | 2 | 1 | 1.8 |',
  ])
})

it('names a failed step, and leaves it out of the table', async () => {
  const lines: string[] = []
  const stopwatch = createStopwatch(
    (line) => lines.push(line),
    () => 0,
  )
  await expect(stopwatch.step('zone', () => Promise.reject(new Error('no picture')))).rejects.toThrow(
    'the step “zone” failed',
  )
  stopwatch.total()
  expect(lines.slice(2)).toEqual(['| total | 0 | 0 | 0 | 0.0 |'])
})
