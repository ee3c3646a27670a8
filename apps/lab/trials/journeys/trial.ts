import { defineTrial, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'journeys',
  purpose: 'screens',
  summary:
    'Carries out every journey of a person on the dashboard, on every screen, light and dark. Passes if each reaches ' +
    'its end and no page has a problem of accessibility, policy or translation.',
  takes: '30 min',
  measures: ['apps/dashboard/src', 'apps/cloud/src/domains'],
  dashboard: true,
  options: z.object({
    /** Name of a journey. */
    only: z.string().optional(),
    width: z.enum(['390', '1280', '1920', '2560']).optional(),
    theme: z.enum(['light', 'dark']).optional(),
    /** Folder for a picture of each step. */
    pictures: z.string().optional(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
