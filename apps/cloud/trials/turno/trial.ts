import { decimal, defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'turno',
  purpose: 'screens',
  summary:
    'Replays a shift of a vigilante at Plantão in Chromium with a fast clock. Passes if heap after a collection, ' +
    'nodes and listeners of every later hour are at most 10 % above the largest ones of the first quarter.',
  takes: '15 min',
  measures: [
    'apps/dashboard/src',
    'apps/cloud/src/domains/eventos/incidentes',
    'apps/cloud/src/domains/eventos/alertas',
  ],
  dashboard: true,
  options: z.object({
    /** Length of the shift by the clock of the page. */
    horas: decimal(4, 24).default(12),
    /** Real duration. */
    minutos: decimal(1, 60).default(15),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
