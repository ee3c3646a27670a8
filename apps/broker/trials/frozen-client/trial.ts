import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'frozen-client',
  purpose: 'load',
  summary:
    'Measures the time and memory that a client without reads costs the others, at the broker with its own ' +
    'limits. Passes if round trips stay short, memory stays bounded and the other clients stay connected.',
  takes: '1 min',
  measures: ['apps/broker/src', 'packages/link/src'],
  options: z.object({}),
  run: async (_, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(output),
})
