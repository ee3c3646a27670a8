import { decimal, defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'demo-verdicts',
  purpose: 'quality',
  summary:
    'Runs the cameras of the demonstration. Passes with at least one event, and if no refuted event shows a labelled ' +
    'person of the footage.',
  takes: '35 min',
  measures: [
    'packages/ias/src',
    'packages/vision/src',
    'packages/models',
    'packages/analysis/src',
    'apps/dvr-simulator/footage',
  ],
  options: z.object({
    minutes: decimal(1, 600).default(30),
    /** Folder for the frames of the refuted events. */
    pasta: z.string().optional(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
