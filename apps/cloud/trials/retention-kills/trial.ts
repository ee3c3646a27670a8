import { defineTrial } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'retention-kills',
  purpose: 'faults',
  summary:
    'Kills a sweep and a deletion by period at 50 random steps. Passes if no row lacks its file after a kill, and ' +
    'each next sweep leads to the rows and files of an undisturbed one.',
  takes: '2 min',
  measures: [
    'apps/cloud/src/domains/operacao/retencao',
    'apps/cloud/src/domains/eventos/eventos/discard-files.ts',
    'apps/cloud/src/db/named-files.ts',
    'apps/cloud/src/adapters/media-store',
  ],
  options: z.object({}),
  run: async (_, output) => (await import('./carry-out.ts')).carryOut(output),
})
