import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

const MOST = Number.MAX_SAFE_INTEGER

export default defineTrial({
  name: 'fuzz-rtsp',
  purpose: 'tenants',
  summary:
    'Plays malformed dialogues to the RTSP client. Passes without a crash, a hang, a violated guarantee or growing ' +
    'memory.',
  takes: '5 min',
  measures: ['packages/rtsp/src/client', 'packages/rtsp/src/client.ts', 'packages/rtsp/src/sdp.ts'],
  options: z.object({
    dialogues: wholeNumber(1, MOST).default(100_000),
    seed: wholeNumber(-MOST, MOST).default(1),
    /** Index of the first dialogue: with `--dialogues 1` it alone is repeated. */
    first: wholeNumber(0, MOST).default(0),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
