import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'move',
  purpose: 'releases',
  summary:
    'Moves, backs up and restores an installation with events and pictures, and kills each command. Passes if the ' +
    'API of each new installation answers like that of the source.',
  takes: '30 min',
  measures: ['apps/cloud/src/vigia', 'apps/cloud/src/db/transfer', 'apps/cloud/src/adapters/media-store'],
  options: z.object({
    eventos: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(100_000),
    /** Size of each picture. */
    bytes: wholeNumber(101, Number.MAX_SAFE_INTEGER).default(10_000),
    /** Kills of each command. */
    mortes: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(3),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
