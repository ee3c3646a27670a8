import { expect, it } from 'vitest'
import { createStopwatch } from './stopwatch.ts'

it('counts the actions of each step alone, and all of them in the total', async () => {
  let now = 0
  const stopwatch = createStopwatch(
    () => {},
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
  expect(answer).toBe('falso')
  expect(stopwatch.rows()).toEqual([
    { step: 'sign in', clicks: 1, fields: 2, keys: 0, seconds: 1.5 },
    { step: 'answer', clicks: 0, fields: 0, keys: 1, seconds: 0.3 },
    { step: 'total', clicks: 1, fields: 2, keys: 1, seconds: 1.8 },
  ])
})

it('names a failed step, and leaves it out of the table', async () => {
  const begun: string[] = []
  const stopwatch = createStopwatch(
    (name) => begun.push(name),
    () => 0,
  )
  await expect(stopwatch.step('zone', () => Promise.reject(new Error('no picture')))).rejects.toThrow(
    'the step “zone” failed',
  )
  expect(begun).toEqual(['zone'])
  expect(stopwatch.rows()).toEqual([{ step: 'total', clicks: 0, fields: 0, keys: 0, seconds: 0 }])
})
