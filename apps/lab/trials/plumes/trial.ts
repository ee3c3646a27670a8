import { defineTrial, type Result, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'plumes',
  purpose: 'quality',
  summary:
    'Draws a seeded plume over real clips and counts the plumes that `fumaca` finds and the false events with and ' +
    'without it. Passes if every clip is analysed. Drawn plumes are no proof for real smoke.',
  takes: '10 min',
  measures: [
    'packages/ias/src/fumaca',
    'packages/ias/src/fogo',
    'packages/vision/src',
    'packages/analysis/src',
    'packages/models',
  ],
  options: z.object({
    data: z.string().default('../shared/data/cctv'),
    /** Further clips. */
    clip: z.array(z.string()).default([]),
    /** Seed of the first clip; each further clip has the next one. */
    seed: wholeNumber(0, 4_294_967_295).default(7),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
