import { linhaDoTempoQuerySchema, linhaDoTempoSchema } from '@vigia/contracts/linha-do-tempo'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { readTimeline } from './timeline.ts'

export const linhaDoTempoRoutes = (deps: { readonly db: Database; readonly clock: Clock }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/linha-do-tempo',
    operacao: 'verLinhaDoTempo',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Mostra incidentes, quedas e horas sem ninguém olhando de um dia, por câmera',
    query: linhaDoTempoQuerySchema,
    respostas: { 200: linhaDoTempoSchema },
    handler: async ({ caller, query }) => ({ status: 200, body: await readTimeline(deps, caller, query) }),
  }),
]
