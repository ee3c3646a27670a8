import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'compat',
  purpose: 'releases',
  summary:
    'Runs programs of a former release with those of this one, and then upgrades them. Passes if every event arrives ' +
    'once and in order, and no extra reaches a release without extras.',
  takes: '3 min',
  measures: [
    'packages/link/src',
    'packages/contracts/src',
    'apps/edge/src/outbox',
    'apps/cloud/src/domains/operacao/ingestao',
  ],
  options: z.object({
    /** Commit of the former release. */
    with: z.string({ error: 'is the commit of the former release' }),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
