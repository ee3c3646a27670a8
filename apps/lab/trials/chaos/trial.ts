import { defineTrial, flag, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'chaos',
  purpose: 'faults',
  summary:
    'Counts the delivered events while programs, lines, disk and clock fail. Passes without lost, duplicated, ' +
    'misordered and unrecorded events, and with at most 1 % dropped outside the rounds that fill the quota or a disk.',
  takes: '10 min',
  measures: [
    'apps/edge/src/outbox',
    'apps/edge/src/db',
    'packages/link/src',
    'apps/cloud/src/domains/operacao/ingestao',
    'apps/broker/src',
  ],
  options: z.object({
    rounds: wholeNumber(1, 999_999_999).default(10),
    seed: wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).optional(),
    broker: z.enum(['aedes', 'mosquitto']).default('aedes'),
    replicas: wholeNumber(1, 9).default(1),
    banco: z.enum(['sqlite', 'postgres']).optional(),
    verbose: flag(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
