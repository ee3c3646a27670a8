import { defineTrial } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'record-release',
  purpose: 'files',
  summary:
    'Adds this release to packages/testing/releases: a data directory with rows in every table, API answers and ' +
    'link messages. For a release whose schema is final; fails when answers vary or the archive is too large.',
  takes: '1 min',
  measures: ['apps/cloud/src/db/migrations', 'apps/cloud/src/test/releases'],
  options: z.object({}),
  async run(_, { print }) {
    const { recordRelease } = await import('../../src/test/releases/record-release.ts')
    const { release, bytes } = await recordRelease()
    print(`${release}: ${bytes} bytes`)
    return { passed: true }
  },
})
