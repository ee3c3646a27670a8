import { defineTrial, wholeNumber } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'million-events',
  purpose: 'load',
  summary:
    'Lists and counts events in a database with a million of them (domains/eventos/eventos/store.test.ts). Passes if ' +
    'every statement is within its limit.',
  takes: '2 min',
  measures: ['apps/cloud/src/domains/eventos/eventos', 'apps/cloud/src/db/eventos.ts', 'apps/cloud/src/db/migrations'],
  options: z.object({ eventos: wholeNumber(10_000, 10_000_000).default(1_000_000) }),
  run: async ({ eventos }) =>
    (await import('../run-tests.ts')).runTests('app', 'domains/eventos/eventos/store.test', {
      VIGIA_TEST_EVENTOS: String(eventos),
    }),
})
