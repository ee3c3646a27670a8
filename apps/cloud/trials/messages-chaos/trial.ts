import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'messages-chaos',
  purpose: 'faults',
  summary:
    'Kills the cloud in each round between commit, verdict, grouping and delivery. Passes if every confirmed event ' +
    'and incidente arrived under one id, and nothing else did.',
  takes: '8 min',
  measures: [
    'apps/cloud/src/domains/operacao/ingestao',
    'apps/cloud/src/domains/operacao/verificacao',
    'apps/cloud/src/domains/eventos/incidentes',
    'apps/cloud/src/domains/mensagens/delivery',
    'apps/cloud/src/domains/mensagens/notificacoes',
    'apps/cloud/src/db/work-queue',
  ],
  options: z.object({ rounds: wholeNumber(1, 10_000).default(100) }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
