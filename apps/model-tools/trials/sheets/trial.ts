import { decimal, defineTrial, flag, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'sheets',
  purpose: 'files',
  summary:
    'Draws contact sheets, from which a person labels pictures. They show people: keep them out of the repository. ' +
    'Passes if every picture of the list could be drawn.',
  takes: '1 min',
  measures: ['apps/model-tools/trials/sheets'],
  options: z.object({
    /** Without a header: `file,x,y,w,h,caption`, fractions of the picture from its left upper corner. */
    list: z.string(),
    /** Folder for the sheets. */
    out: z.string(),
    /** Pictures with numbered boxes instead of crops. */
    whole: flag(),
    columns: wholeNumber(1, 999).default(9),
    rows: wholeNumber(1, 999).default(8),
    /** Side of a cell, in pixels. */
    cell: wholeNumber(8, 9_999).default(112),
    /** How many times the longer side of its box a crop is wide. */
    enlarge: decimal(0.1, 100).default(1.6),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
