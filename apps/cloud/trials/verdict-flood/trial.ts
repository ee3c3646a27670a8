import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'verdict-flood',
  purpose: 'tenants',
  summary:
    'Stores many events of one edge before an event of another Empresa. Passes if they delay its verdict by less ' +
    'than 3 s.',
  takes: '1 min',
  measures: ['apps/cloud/src/domains/operacao/verificacao', 'apps/cloud/src/db/work-queue'],
  options: z.object({}),
  run: async (_, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(output),
})
