import { defineTrial, flag, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'train-heads',
  purpose: 'files',
  summary:
    'Trains the heads of the second opinion for fire, smoke, helmet and vest, each in a process of its own. Passes ' +
    'if the trainings end.',
  takes: '20 min',
  measures: [
    'apps/model-tools/trials/train-heads',
    'packages/vision/src/second-classifier.ts',
    'packages/vision/src/surroundings.ts',
    'packages/models/ssdlite-mobilenetv2-300',
  ],
  options: z.object({
    /** Folder with the training folders. */
    data: z.string().default('../shared/data'),
    /** Folder for models, weights and figures. */
    out: z.string().default('/tmp/vigia-heads'),
    seed: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(7),
    /** Every n-th picture is used. */
    every: wholeNumber(1, 999_999).default(1),
    /** Default: both. */
    task: z.enum(['fogo', 'epi']).optional(),
    /** Also writes the model files of the product and `training/heads.json`. */
    write: flag(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
