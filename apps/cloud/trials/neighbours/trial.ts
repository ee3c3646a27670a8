import { decimal, defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'neighbours',
  purpose: 'tenants',
  summary:
    'Measures one Empresa beside a hostile one, each attack between two phases without it. Passes if nothing fails ' +
    'and requests and verdicts take at most three times as long as alone, plus 50 ms.',
  takes: '10 min',
  measures: [
    'apps/broker/src',
    'apps/cloud/src/http',
    'apps/cloud/src/domains',
    'apps/cloud/src/db',
    'packages/link/src',
  ],
  options: z.object({
    /** Length of a phase. */
    seconds: decimal(5, 600).default(15),
    banco: z.enum(['sqlite', 'postgres']).default('sqlite'),
    /** Part of the name of an attack. Default: every attack. */
    only: z.string().default(''),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
