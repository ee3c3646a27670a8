import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'compare-clients',
  purpose: 'video',
  summary:
    'Plays SDP texts and recorded answers to both RTSP clients and compares track, codec and size. Passes if the own ' +
    'client reads all that FFmpeg reads, or names the cause.',
  takes: '1 min',
  measures: ['packages/rtsp/src/client', 'packages/rtsp/src/sdp.ts', 'packages/video/src/open-input.ts'],
  options: z.object({
    /** `*.sdp`: body of an answer to DESCRIBE; `*.txt`, `*.rtsp`: whole answers. Default: the own texts. */
    folder: z.string().optional(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
