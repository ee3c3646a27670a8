import { decimal, defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

/** Largest seed of the trial fuzz. */
const SEED_MAX = 2 ** 30 - 1

export default defineTrial({
  name: 'soak',
  purpose: 'load',
  summary:
    'Lets recorders and the line of an edge fail and change, and requests every route meanwhile. Passes if memory ' +
    'grows by at most a tenth, open files and threads do not, and every interruption is counted and ended.',
  takes: '12 min',
  measures: ['apps/edge/src', 'apps/cloud/src', 'apps/broker/src', 'packages/video/src', 'packages/link/src'],
  options: z.object({
    minutes: decimal(1, 10_000).default(10),
    seed: wholeNumber(-SEED_MAX, SEED_MAX).default(1),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
