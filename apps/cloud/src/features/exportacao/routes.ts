import { idLongoTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Clock } from '../../adapters/clock.ts'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import { type ZipEntry, zipOf } from '../../adapters/zip.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { defineRoute, type RequestInfo, type Route } from '../../http/route.ts'
import { streamBody } from '../../http/stream-body.ts'
import { exportEvento, exportIncidente } from './export.ts'

interface ExportRoutesDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly clock: Clock
  readonly log: Logger
}

export const exportacaoRoutes = (deps: ExportRoutesDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/events/{event_id}/exportar',
    operacao: 'exportarEvento',
    acesso: 'sessao',
    resumo: 'Traz um evento como ZIP: dados, imagens e a lista de resumos SHA-256',
    descricao: 'A exportação fica na auditoria.',
    params: z.object({ event_id: idLongoTexto }),
    respostas: { 200: { midia: 'application/zip' } },
    handler: async ({ caller, params: { event_id }, request }) =>
      archive(deps, await exportEvento(deps, caller, event_id), `evento-${event_id}`, request),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/incidentes/{incidente_id}/exportar',
    operacao: 'exportarIncidente',
    acesso: 'sessao',
    resumo: 'Traz um incidente como ZIP: dados, imagens dos eventos e a lista de resumos SHA-256',
    descricao: 'A exportação fica na auditoria.',
    params: z.object({ incidente_id: idLongoTexto }),
    respostas: { 200: { midia: 'application/zip' } },
    handler: async ({ caller, params: { incidente_id }, request }) =>
      archive(deps, await exportIncidente(deps, caller, incidente_id), `incidente-${incidente_id}`, request),
  }),
]

/** A failure closes the connection, so that the browser reports an incomplete file. */
function archive({ log }: ExportRoutesDeps, files: AsyncGenerator<ZipEntry>, name: string, request: RequestInfo) {
  const failed = (err: unknown) => {
    log.error({ err, id: request.id }, 'export interrupted')
    request.disconnect()
  }
  const body = streamBody(zipOf(files), { finished: () => {}, failed, disconnect: request.disconnect })
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="vigia-${name}.zip"`,
    'cache-control': 'no-store',
  }
  return new Response(body, { headers })
}
