import { periodoQuerySchema } from '@vigia/contracts/apagamentos'
import { contagemExportacaoSchema, MAX_EVENTOS_EXPORTACAO, MAX_PASSAGENS_EXPORTACAO } from '@vigia/contracts/exportacao'
import { MAX_IMAGENS_TREINAMENTO, treinamentoQuerySchema } from '@vigia/contracts/treinamento'
import { idLongoTexto, idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import type { HeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { archive } from './archive.ts'
import { exportEvento, exportIncidente } from './export.ts'
import { countExport, exportPeriod } from './export-period.ts'
import { exportTraining } from './export-training.ts'

interface ExportRoutesDeps {
  readonly db: Database
  readonly reads: HeavyReads
  readonly media: MediaStore
  readonly clock: Clock
  readonly log: Logger
  readonly basePath: string
}

export const exportacaoRoutes = (deps: ExportRoutesDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/events/{event_id}/exportar',
    erros: [429],
    operacao: 'exportarEvento',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Traz um evento como ZIP: dados, imagens, clipe, uma página e a lista de resumos SHA-256',
    descricao: 'A exportação fica na auditoria.',
    params: z.object({ event_id: idLongoTexto }),
    respostas: { 200: { midia: 'application/zip' } },
    handler: async ({ caller, params: { event_id }, request }) =>
      archive(deps, await exportEvento(deps, caller, event_id), `evento-${event_id}`, request),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/incidentes/{incidente_id}/exportar',
    erros: [429],
    operacao: 'exportarIncidente',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Traz um incidente como ZIP: dados, imagens, clipes, uma página e a lista de resumos SHA-256',
    descricao: 'A exportação fica na auditoria.',
    params: z.object({ incidente_id: idLongoTexto }),
    respostas: { 200: { midia: 'application/zip' } },
    handler: async ({ caller, params: { incidente_id }, request }) =>
      archive(deps, await exportIncidente(deps, caller, incidente_id), `incidente-${incidente_id}`, request),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/empresas/{empresa_id}/exportar',
    operacao: 'exportarPeriodo',
    acesso: 'escrita',
    efeito: null,
    erros: [409, 429],
    resumo:
      'Traz os eventos e as passagens de um período como ZIP: dados, imagens, clipes, respostas, uma página, resumos',
    descricao:
      `No máximo ${MAX_EVENTOS_EXPORTACAO} eventos, ${MAX_PASSAGENS_EXPORTACAO} passagens e 3 GB; se há mais: 409, ` +
      'com um fim que cabe. A exportação fica na auditoria.',
    params: z.object({ empresa_id: idTexto }),
    query: periodoQuerySchema,
    respostas: { 200: { midia: 'application/zip' } },
    handler: async ({ caller, params: { empresa_id }, query, request }) =>
      archive(
        deps,
        await exportPeriod(deps, caller, empresa_id, query, request.signal),
        `periodo-${empresa_id}`,
        request,
      ),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/empresas/{empresa_id}/exportar/contagem',
    operacao: 'contarExportacao',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Conta o que a exportação de um período traria',
    params: z.object({ empresa_id: idTexto }),
    query: periodoQuerySchema,
    respostas: { 200: contagemExportacaoSchema },
    handler: async ({ caller, params: { empresa_id }, query, request }) => ({
      status: 200,
      body: await countExport(deps, caller, empresa_id, query, request.signal),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/treinamento/exportacao',
    erros: [429],
    operacao: 'exportarTreinamento',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Traz as imagens revisadas como ZIP: COCO JSON e recortes',
    descricao:
      `As imagens são os recortes dos eventos revisados, no máximo ${MAX_IMAGENS_TREINAMENTO}. As caixas vêm em ` +
      'pixels da imagem; a revisão e o veredito, em `annotations[].attributes`. As caixas de um alarme falso têm uma ' +
      'categoria própria (`falso_…`). A exportação fica na auditoria.',
    query: treinamentoQuerySchema,
    respostas: { 200: { midia: 'application/zip' } },
    handler: async ({ caller, query, request }) =>
      archive(deps, await exportTraining(deps, caller, query, request.signal), 'treinamento', request),
  }),
]
