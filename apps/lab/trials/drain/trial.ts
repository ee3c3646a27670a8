import { defineTrial, flag, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'drain',
  purpose: 'load',
  summary:
    'Measures how fast an edge delivers its backlog after an outage. Passes if each event arrives once and in order; ' +
    'with --hours, which measures how long 1 GB of outbox lasts, if further pictures push out no picture of an event.',
  takes: '5 min',
  measures: [
    'apps/edge/src/outbox',
    'apps/edge/src/db',
    'packages/link/src',
    'apps/cloud/src/domains/operacao/ingestao',
  ],
  options: z.object({
    events: wholeNumber(10, 99_999_990)
      .refine((events) => events % 10 === 0, { error: 'is a multiple of 10' })
      .default(100_000),
    /** Bytes of each of two further pictures per event. */
    evidence: wholeNumber(0, 99_999).default(0),
    hours: flag(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
