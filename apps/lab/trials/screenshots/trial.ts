import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'
import { screens } from './pages.ts'
import { states } from './states.ts'

export default defineTrial({
  name: 'screenshots',
  purpose: 'screens',
  summary:
    'Writes a picture of every page of the dashboard in every state, and of its widgets (`/ui`), at the sizes of ' +
    'phone, laptop and wall. Passes if each page reaches its state.',
  takes: '10 min',
  measures: ['apps/dashboard/src'],
  options: z.object({
    /** Folder of the pictures. */
    out: z.string().optional(),
    /** Writes the pictures of the guides and of README where they stand, and no other (2 min). */
    guides: z.boolean().default(false),
    only: z.enum(screens.map(({ name }) => name)).optional(),
    state: z.enum(states).optional(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
