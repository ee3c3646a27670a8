import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'figures',
  purpose: 'files',
  summary:
    'Lists the tables of docs/ that are older than the last change of the files they measure. Passes without one.',
  takes: '1 s',
  measures: ['docs'],
  options: z.object({ 'older-than': z.string().min(1).default('HEAD') }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
