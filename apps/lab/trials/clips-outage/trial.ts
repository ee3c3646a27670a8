import { decimal, defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'clips-outage',
  purpose: 'faults',
  summary:
    'Kills broker and cloud for some minutes while a real edge raises events. Passes if each event then has its clip ' +
    'or its reason within 15 minutes.',
  takes: '35 min',
  measures: ['apps/edge/src/clips', 'apps/edge/src/outbox', 'apps/cloud/src/domains/video/clipes'],
  options: z.object({
    /** Length of the outage. */
    minutes: decimal(0.01, 24 * 60).default(30),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
