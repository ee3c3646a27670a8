import { defineTrial } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'masks',
  purpose: 'video',
  summary:
    'Measures the cost of masks and decodes every output of a masked camera. Passes if none shows masked pixels.',
  takes: '5 min',
  measures: ['packages/video/src', 'apps/edge/src/capture', 'apps/edge/src/clips', 'apps/edge/src/recordings'],
  options: z.object({}),
  run: async (_options, output) => (await import('./carry-out.ts')).carryOut(output),
})
