import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'memory',
  purpose: 'load',
  summary:
    'Heap and resident memory of one cloud process after each of three runs of requests of all kinds. Passes if ' +
    'the third run ends at most 10 % above the second.',
  takes: '45 min',
  measures: ['apps/cloud/src/http', 'apps/cloud/src/domains', 'apps/cloud/src/db', 'apps/cloud/src/adapters'],
  options: z.object({
    /** Number of requests of each run. */
    requests: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(50_000),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
