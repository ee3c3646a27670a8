import { createMemoryLog } from '@vigia/link/testing/installation'
import { expect, it } from 'vitest'
import { createRefusalLog } from './refusal-log.ts'

it('writes the first refusals of a window and counts the rest', () => {
  let now = 0
  const memory = createMemoryLog()
  const refusals = createRefusalLog(memory, () => now)
  for (let index = 0; index < 500; index += 1) refusals.log({ index }, 'refused')
  expect(memory.lines).toHaveLength(20)
  now = 10_000
  refusals.log({}, 'refused')
  expect(memory.lines.slice(20)).toEqual(['warn more refusals were not logged {"omitidas":480}', 'warn refused {}'])
})
