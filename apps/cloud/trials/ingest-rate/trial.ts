import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'ingest-rate',
  purpose: 'load',
  summary:
    'Stores batches of an edge, and then the same rows by plain inserts. Passes above 0.1 of the plain rate, and ' +
    'above 0.01 with pictures.',
  takes: '1 min',
  measures: [
    'apps/cloud/src/domains/operacao/ingestao',
    'apps/cloud/src/adapters/media-store',
    'apps/cloud/src/db/migrations',
  ],
  options: z.object({}),
  run: async (_, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(output),
})
