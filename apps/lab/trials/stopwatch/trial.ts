import { defineTrial, flag, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'stopwatch',
  purpose: 'screens',
  summary:
    'Counts clicks and seconds from a fresh clone to the first answered alert: npm start, camera, zone, test and ' +
    'answer. Passes if every step succeeds.',
  takes: '2 min',
  measures: ['apps/all-in-one/src', 'apps/dashboard/src', 'packages/toolchain/bootstrap.mjs'],
  options: z.object({
    /** Uses this working tree instead of a clone. */
    pronto: flag(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
