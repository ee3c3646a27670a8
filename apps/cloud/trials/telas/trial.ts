import { defineTrial, flag, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'telas',
  purpose: 'screens',
  summary:
    'Measures the screens of 500 cameras at the server and in Chromium: Plantão, mosaic, timeline, search, and the ' +
    'lists of cameras, people, passages, plates and a report. Passes if the 95th percentile and the nodes of every ' +
    'screen are within their limits, and every promised row is painted.',
  takes: '15 min',
  measures: ['apps/cloud/src/domains', 'apps/cloud/src/db', 'apps/cloud/src/http', 'apps/dashboard/src'],
  dashboard: true,
  options: z.object({
    eventos: wholeNumber(10_000, 5_000_000).default(1_000_000),
    /** Data folder that is kept for the next run. Default: a temporary one. */
    pasta: z.string().optional(),
    /** Only fills the folder. */
    'so-preparar': flag(),
    /** Only the pages in Chromium. */
    'so-pintar': flag(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
