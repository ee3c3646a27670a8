import { decimal, defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'aovivo',
  purpose: 'video',
  summary:
    'Plays live video in Chromium and reads its delay from burnt-in frame numbers. Passes within the limits of first ' +
    'picture and delay; with --conferir MINUTES, if live HLS beside `ffmpeg -f hls` has no fault.',
  takes: '3 min',
  measures: [
    'packages/video/src',
    'apps/edge/src/streams',
    'apps/cloud/src/domains/video/transmissoes',
    'apps/dashboard/src/domains/video/aovivo',
  ],
  dashboard: true,
  options: z.object({
    cameras: wholeNumber(1, 99).default(16),
    /** Length of each measurement. */
    segundos: wholeNumber(1, 3_600).default(20),
    /** File of hls.js (`hls.min.js`): also measures LL-HLS. */
    'hls-js': z.string().optional(),
    /** Minutes: validates live HLS instead of the measurements. */
    conferir: decimal(0.1, 1_440).optional(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
