import { defineTrial } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'nginx',
  purpose: 'releases',
  summary:
    'Restarts two replicas behind nginx, one after the other, under GET, POST and an alert stream. Passes if no ' +
    'request fails and no alert is lost.',
  takes: '1 min',
  measures: [
    'deploy/nginx',
    'apps/cloud/src/replicas',
    'apps/cloud/src/http/listen.ts',
    'apps/cloud/src/domains/eventos/alertas',
  ],
  options: z.object({}),
  run: async () => (await import('./carry-out.ts')).carryOut(),
})
