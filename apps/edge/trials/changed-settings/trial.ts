import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'changed-settings',
  purpose: 'load',
  summary:
    'Changes threshold, zone, IAs and agenda of a camera while an edge analyses it. Passes if each change has its ' +
    'effect within 5 s.',
  takes: '2 min',
  measures: ['apps/edge/src', 'packages/analysis/src', 'packages/link/src'],
  options: z.object({}),
  run: async (_, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(output),
})
