import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

const SEED_MAX = 2 ** 30 - 1

export default defineTrial({
  name: 'fuzz',
  purpose: 'tenants',
  summary:
    'Calls every route as every kind of caller, with valid, boundary and faulty requests. Passes without a ' +
    'failure, an undeclared status and an answer that breaks its schema or is late.',
  takes: '15 min',
  measures: ['apps/cloud/src/http', 'apps/cloud/src/domains', 'packages/contracts/src'],
  options: z.object({
    requests: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(50_000),
    seed: wholeNumber(-SEED_MAX, SEED_MAX).default(1),
    /** URL of a running cloud on this machine: the trial is load for another program. Default: an own cloud. */
    at: z.string().optional(),
    /** Data folder of that cloud. VIGIA_ADMIN_PASSWORD is its operator's password. */
    'data-dir': z.string().optional(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
