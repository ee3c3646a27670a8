import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'quirks',
  purpose: 'tenants',
  summary:
    'Plays each quirk of the recorder simulator in stream, discovery, picture, clip, live video and archive of a ' +
    'whole installation. Passes if each works or ends with a sentence of the product, and no refused login repeats.',
  takes: '30 min',
  measures: [
    'apps/dvr-simulator/src',
    'apps/edge/src',
    'packages/rtsp/src',
    'packages/video/src',
    'packages/contracts/src',
  ],
  options: z.object({
    /** Names with commas between them; default: all. */
    only: z.string().min(1).optional(),
    /** Devices at the same time. */
    lanes: wholeNumber(1, 16).default(4),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
