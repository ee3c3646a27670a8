import { decimal, defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'placas',
  purpose: 'quality',
  summary:
    'Plays photographed cars with allowed plates in front of cameras, one after the other, through recorder, edge, ' +
    'broker and cloud. Passes if no passage is lost or doubled, with a p99 of 2 s to SSE and 3 s to the webhook.',
  takes: '8 min',
  measures: [
    'packages/analysis/src/plates',
    'packages/models',
    'packages/vision/src',
    'apps/edge/src/outbox',
    'apps/cloud/src/domains/placas/passagens',
    'apps/cloud/src/domains/mensagens/notificacoes',
  ],
  options: z.object({
    cameras: wholeNumber(1, 8).default(1),
    minutos: decimal(1, 240).default(5),
    /** Time that a car takes to cross. */
    segundos: decimal(1, 60).default(3),
    /** Folder with the photographs in `plates`. */
    data: z.string().default('../shared/data'),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
