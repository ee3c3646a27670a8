import { decimal, defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

/** Bounds of a number that only must be above 0. */
const LEAST = 0.001
const MOST = 1e9

export default defineTrial({
  name: 'messages-rate',
  purpose: 'load',
  summary:
    'The time from frame to hand-over of a message beside that of the verifier, also while the verifier is down. ' +
    'Passes when every confirmed event is handed over.',
  takes: '1 min',
  measures: [
    'apps/cloud/src/domains/operacao/verificacao',
    'apps/cloud/src/domains/mensagens/delivery',
    'apps/cloud/src/domains/mensagens/notificacoes',
    'apps/cloud/src/domains/operacao/ingestao',
    'apps/cloud/src/db/work-queue',
  ],
  options: z.object({
    minutes: decimal(LEAST, MOST).default(6),
    /** Events per minute. */
    rate: decimal(LEAST, MOST).default(100),
    /** Time of each request of the verifier, and its concurrent requests. */
    'verifier-ms': decimal(LEAST, MOST).default(5_000),
    'at-once': wholeNumber(1, MOST).default(16),
    /** Minutes without a verifier, from the third minute on. The messages of each `politica` in it are counted. */
    down: decimal(0, MOST).default(0),
    /** Minutes that pass in one real minute. A low number gives exact times. */
    scale: decimal(LEAST, MOST).default(20),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
