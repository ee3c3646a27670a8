import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'passages',
  purpose: 'quality',
  summary:
    'Reads the plates of cars in the stream of a recorder. Passes if each car has one passage with revisions in ' +
    'order, and its first record is at the cloud within 2 s.',
  takes: '2 min',
  measures: ['apps/edge/src', 'packages/analysis/src', 'packages/vision/src'],
  options: z.object({}),
  run: async (_, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(output),
})
