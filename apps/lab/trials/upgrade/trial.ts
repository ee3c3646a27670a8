import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'upgrade',
  purpose: 'releases',
  summary:
    'Replaces two replicas and an edge of the previous release one after the other, under load. Passes if no request ' +
    'fails, and every event, alert and notification arrives once.',
  takes: '5 min',
  measures: ['apps/cloud/src/db', 'apps/cloud/src/replicas', 'packages/link/src', 'apps/edge/src/db'],
  options: z.object({
    /** Commit of the previous release; default: the newest tag before this commit. */
    with: z.string().optional(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
