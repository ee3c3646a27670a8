import { concordanciaQuerySchema, concordanciaSchema } from '@vigia/contracts/concordancia'
import { relatorioCsvQuerySchema, relatorioQuerySchema, relatorioSchema } from '@vigia/contracts/relatorios'
import type { Clock } from '../../../adapters/clock.ts'
import type { HeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import { csvAnswer } from '../../../http/csv.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { readConcordancia } from './concordancia.ts'
import { reportCsv } from './csv.ts'
import { buildReport } from './report.ts'

interface RelatoriosDeps {
  readonly db: Database
  readonly reads: HeavyReads
  readonly clock: Clock
}

export const relatoriosRoutes = (deps: RelatoriosDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/relatorios',
    operacao: 'verRelatorio',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Conta eventos, respostas e quedas de um período',
    query: relatorioQuerySchema,
    respostas: { 200: relatorioSchema },
    handler: async ({ caller, query, request }) => ({
      status: 200,
      body: await buildReport(deps, caller, query, request.signal),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/relatorios/csv',
    operacao: 'baixarRelatorio',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Traz uma tabela do relatório como CSV',
    query: relatorioCsvQuerySchema,
    respostas: { 200: { midia: 'text/csv' } },
    handler: async ({ caller, query: { tabela, ...query }, request }) => {
      const report = await buildReport(deps, caller, query, request.signal)
      return csvAnswer(`relatorio-${tabela}.csv`, reportCsv(report, tabela))
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/concordancia',
    operacao: 'verConcordancia',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Conta quantas revisões concordam com a verificação, por câmera e IA',
    query: concordanciaQuerySchema,
    respostas: { 200: concordanciaSchema },
    handler: async ({ caller, query, request }) => ({
      status: 200,
      body: await readConcordancia(deps, caller, query, request.signal),
    }),
  }),
]
