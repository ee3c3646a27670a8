import { tmpdir } from 'node:os'
import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'continuous-cost',
  purpose: 'video',
  summary:
    'Measures the CPU and the writes of continuous recording of simulated sub streams, beside reading them alone. ' +
    'Passes up to 0.0015 core a camera above reading.',
  takes: '3 min',
  measures: ['apps/edge/src/continuous', 'apps/edge/src/capture/live-packager.ts', 'packages/video/src/mp4'],
  options: z.object({
    cameras: wholeNumber(1, 999).default(16),
    /** Duration of reading, and again of recording. */
    segundos: wholeNumber(1, 86_400).default(65),
    /** The recordings are below it; its disk is measured. */
    pasta: z.string().default(tmpdir()),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
