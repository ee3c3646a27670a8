import { placasExportarQuerySchema, placasImportadasSchema, placasImportarSchema } from '@vigia/contracts/placas'
import { csvAnswer } from '../../../http/csv.ts'
import type { Logger } from '../../../http/request-log.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { closingOnFailure, streamBody } from '../../../http/stream-body.ts'
import type { PlacasDeps } from './change-placa.ts'
import { exportPlacas } from './export-placas.ts'
import { importPlacas } from './import-placas.ts'

/** A file of 4 MiB as JSON: line ends and quotes take two bytes, other letters than ASCII up to four. */
export const IMPORT_BYTES = 8 * 1024 * 1024

/** The lists of plates as a CSV file. */
export const csvRoutes = (deps: PlacasDeps & { readonly log: Logger }): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/placas/exportar',
    erros: [429],
    operacao: 'exportarPlacas',
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Traz as listas de placas da Empresa como CSV',
    descricao: 'O arquivo pode ser importado de novo. Cada exportação fica na auditoria.',
    query: placasExportarQuerySchema,
    respostas: { 200: { midia: 'text/csv' } },
    handler: async ({ caller, query, request }) => {
      const csv = await exportPlacas(deps, caller, query)
      return csvAnswer('placas.csv', streamBody(csv, closingOnFailure(deps, request, 'plates not exported')))
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/placas/importar',
    operacao: 'importarPlacas',
    erros: [409],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Põe as placas de um arquivo CSV nas listas da Empresa',
    descricao:
      'Tudo ou nada: uma linha errada recusa o arquivo. Placas novas entram, as que já estão nas listas mudam, e ' +
      'nenhuma sai. As colunas são separadas por `;` ou `,`, em qualquer ordem. Só `placa` e `lista` são ' +
      'obrigatórias; o que não tem coluna fica como está. `validade` é data e hora ISO 8601 com o fuso.',
    json: placasImportarSchema,
    limiteBytes: IMPORT_BYTES,
    respostas: { 200: placasImportadasSchema },
    handler: async ({ caller, json }) => ({ status: 200, body: await importPlacas(deps, caller, json) }),
  }),
]
