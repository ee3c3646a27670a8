import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'flood',
  purpose: 'tenants',
  summary:
    'Sends at full speed from one edge. Passes if the 95th percentile of `GET /cameras` of another Empresa grows by ' +
    'less than 50 ms.',
  takes: '2 min',
  measures: ['apps/broker/src', 'packages/link/src', 'apps/cloud/src/domains/operacao/ingestao', 'apps/cloud/src/http'],
  options: z.object({
    /** Length of each measurement. */
    seconds: wholeNumber(2, 999).default(8),
  }),
  run: async (options): Promise<Result> => (await import('./carry-out.ts')).carryOut(options),
})
