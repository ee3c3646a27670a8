import { decimal, defineTrial, flag, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'load',
  purpose: 'load',
  summary:
    'Measures recorder, broker and edge with all IAs on 16 simulated cameras, or on one camera with a quiet and a ' +
    'busy scene. Passes if the event loops, the queue for the models, and the CPU of both scenes keep their limits. ' +
    '--clients: both RTSP clients in turns, without IAs; passes if the own one costs at most what FFmpeg costs.',
  takes: '2 min',
  measures: [
    'apps/edge/src',
    'packages/analysis/src',
    'packages/vision/src',
    'packages/video/src',
    'packages/rtsp/src/client',
    'packages/models',
  ],
  options: z.object({
    /** Default: 16; 4 with `--clients`. */
    cameras: wholeNumber(1, 999).optional(),
    /** One camera with a quiet, then with a busy scene. */
    cenas: flag(),
    /** Both RTSP clients in turns. */
    clients: flag(),
    /** Turns of each client. */
    voltas: wholeNumber(1, 99).default(3),
    segundos: decimal(5, 86_400).default(60),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
