import { defineTrial } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'release',
  purpose: 'releases',
  summary:
    'Builds edge and central for both architectures twice from a tagged and signed clone, and starts the archives of ' +
    'this machine. Passes when both builds have the same bytes, all programs start, and the own code of the edge is ' +
    'small enough for an update.',
  takes: '12 min',
  measures: ['apps/release/src', 'deploy/program.sh', 'package-lock.json'],
  options: z.object({
    pacotes: z
      .string()
      .default('node_modules/.cache/release')
      .describe('folder of kept packages; what it lacks comes from the npm registry'),
  }),
  async run({ pacotes }, output) {
    const { proveRelease } = await import('./prove-release.ts')
    return await proveRelease(pacotes, output)
  },
})
