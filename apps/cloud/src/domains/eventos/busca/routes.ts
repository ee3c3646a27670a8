import {
  buscaEventosQuerySchema,
  buscaEventosSchema,
  buscaIncidentesQuerySchema,
  buscaIncidentesSchema,
} from '@vigia/contracts/busca'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { searchEventos } from './search-eventos.ts'
import { searchIncidentes } from './search-incidentes.ts'

export const buscaRoutes = (deps: { readonly db: Database; readonly clock: Clock }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/busca/eventos',
    operacao: 'buscarEventos',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Busca eventos por filtros e palavras, do mais novo ao mais antigo',
    query: buscaEventosQuerySchema,
    respostas: { 200: buscaEventosSchema },
    handler: async ({ caller, query }) => ({ status: 200, body: await searchEventos(deps, caller, query) }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/busca/incidentes',
    operacao: 'buscarIncidentes',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Busca incidentes por filtros e palavras, do mais novo ao mais antigo',
    descricao: 'Com palavras, `atendido_por`, hora do dia, certeza ou nota, na ordem em que foram abertos.',
    query: buscaIncidentesQuerySchema,
    respostas: { 200: buscaIncidentesSchema },
    handler: async ({ caller, query }) => ({ status: 200, body: await searchIncidentes(deps, caller, query) }),
  }),
]
