import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'million-incidentes',
  purpose: 'load',
  summary:
    'Lists and counts incidentes by every filter. Passes if each result equals that of a scan, and no statement ' +
    'needs more processor time than its limit.',
  takes: '5 min',
  measures: [
    'apps/cloud/src/domains/eventos/incidentes',
    'apps/cloud/src/db/incidentes.ts',
    'apps/cloud/src/db/migrations',
  ],
  options: z.object({ incidentes: wholeNumber(10_000, 10_000_000).default(1_000_000) }),
  run: async ({ incidentes }, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(incidentes, output),
})
