import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'live-faults',
  purpose: 'video',
  summary:
    'Breaks a running live picture: kills programs, cuts and narrows lines, withdraws rights, freezes a viewer. ' +
    'Passes if the picture returns or ends as it must, and no process, socket, file or memory is left behind.',
  takes: '6 min',
  measures: [
    'packages/video/src/mp4',
    'apps/edge/src/capture',
    'apps/edge/src/streams',
    'apps/cloud/src/domains/video/transmissoes',
    'apps/cloud/src/domains/pessoas/sessoes',
  ],
  options: z.object({
    /** Minutes for which the frozen viewer reads nothing. */
    congelado: wholeNumber(1, 999).default(2),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
