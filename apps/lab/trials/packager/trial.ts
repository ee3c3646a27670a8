import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'packager',
  purpose: 'video',
  summary:
    'Measures the CPU of packaging simulated cameras of 720p25 for live video, beside the demuxer alone. Passes up ' +
    'to 0.004 core a camera above it, and 0.012 with audio.',
  takes: '5 min',
  measures: ['packages/video/src'],
  options: z.object({
    cameras: wholeNumber(1, 999).default(6),
    /** Duration of each measurement. */
    segundos: wholeNumber(1, 86_400).default(15),
    /** Measurements of each subject. */
    voltas: wholeNumber(1, 999).default(3),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
