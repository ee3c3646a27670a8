import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'tiles',
  purpose: 'video',
  summary:
    'Sends the streams of 16 tiles over a line of 2 Mbit/s. Passes if alerts beside them take less than 1.5 s and ' +
    'parts are dropped.',
  takes: '1 min',
  measures: ['apps/edge/src/streams'],
  options: z.object({}),
  run: async (_, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(output),
})
