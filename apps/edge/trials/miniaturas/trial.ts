import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'miniaturas',
  purpose: 'video',
  summary:
    'Sends small pictures of 16 cameras over a line of 2 Mbit/s, through a real broker. Passes if alerts beside ' +
    'them take less than 1.5 s and every camera gets pictures.',
  takes: '2 min',
  measures: ['apps/edge/src/pedidos', 'packages/link/src', 'apps/broker/src'],
  options: z.object({}),
  run: async (_, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(output),
})
