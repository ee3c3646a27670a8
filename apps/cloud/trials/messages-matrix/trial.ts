import { defineTrial } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'messages-matrix',
  purpose: 'faults',
  summary:
    'Every kind of destination with an hour of every fault, by a simulated clock. Passes if every confirmed ' +
    'incidente arrived once at every matching destination, and nothing else did.',
  takes: '1 min',
  measures: [
    'apps/cloud/src/domains/mensagens/delivery',
    'apps/cloud/src/domains/mensagens/notificacoes',
    'apps/cloud/src/domains/mensagens/push',
    'apps/cloud/src/adapters/senders',
    'apps/cloud/src/db/work-queue',
  ],
  options: z.object({}),
  run: async (_, output) => (await import('./carry-out.ts')).carryOut(output),
})
