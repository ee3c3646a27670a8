import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'plateia',
  purpose: 'screens',
  summary:
    'Times the actions of one browser at Plantão, alone and then beside clients that repeat its requests. Passes ' +
    'if no alert is lost, no request fails, and the 95th percentile is at most 1.5 times the one alone.',
  takes: '5 min',
  measures: [
    'apps/dashboard/src/domains/eventos/incidentes',
    'apps/cloud/src/domains/eventos/incidentes',
    'apps/cloud/src/domains/eventos/alertas',
    'apps/cloud/src/http',
  ],
  dashboard: true,
  options: z.object({
    clientes: wholeNumber(1, 200).default(60),
    acoes: wholeNumber(10, 500).default(40),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
