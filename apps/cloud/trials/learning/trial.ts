import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'learning',
  purpose: 'screens',
  summary:
    'The short form of `telas` for agreement, suggestion and simulation. Passes if each needs less than 200 ms of ' +
    'processor time.',
  takes: '1 min',
  measures: [
    'apps/cloud/src/domains/operacao/calibracao',
    'apps/cloud/src/domains/locais/cameras',
    'apps/cloud/src/domains/eventos/relatorios',
  ],
  options: z.object({}),
  run: async (_, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(output),
})
