import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'walk-reads',
  purpose: 'load',
  summary:
    'Asks for every GET and every report of a filled installation. Passes if each one leaves the thread for a turn ' +
    'of the event loop within 50 ms of its processor time.',
  takes: '10 min',
  measures: ['apps/cloud/src/domains', 'apps/cloud/src/http', 'apps/cloud/src/db'],
  options: z.object({
    eventos: wholeNumber(1_000, 5_000_000).default(300_000),
    cameras: wholeNumber(500, 50_000).default(10_000),
    /** Data folder that is kept for the next run. Default: a temporary one. */
    pasta: z.string().optional(),
    /** Walks only paths that contain this text. */
    only: z.string().default(''),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
