import { defineTrial, flag, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'cloud',
  purpose: 'load',
  summary:
    'Measures ingest, lists, alerts, edges, logins and replicas of the cloud as real processes, each beside a ' +
    'peer. Passes if every goal is reached; without the name of a part all parts run.',
  takes: '40 min',
  measures: [
    'apps/cloud/src/domains/operacao/ingestao',
    'apps/cloud/src/domains/eventos/eventos',
    'apps/cloud/src/domains/eventos/alertas',
    'apps/cloud/src/db',
    'packages/link/src',
    'apps/broker/src',
  ],
  options: z.object({
    ingestao: flag(),
    lista: flag(),
    alertas: flag(),
    edges: flag(),
    login: flag(),
    replicas: flag(),
    /** Database of alertas, edges and login. */
    banco: z.enum(['sqlite', 'postgres']).default('sqlite'),
    /** Small sizes, which show only that the trial works. */
    rapido: flag(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
