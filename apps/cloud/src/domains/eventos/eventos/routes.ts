import {
  cropQuerySchema,
  eventoDetalheSchema,
  eventoSchema,
  eventosQuerySchema,
  metricasSchema,
  revisaoCreateSchema,
} from '@vigia/contracts/eventos'
import { idLongoTexto, idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { cursorPage } from '../../../http/page-headers.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { countVisibleEvents } from './count-eventos.ts'
import { type EventoDeps, getEvent, getEvidencia, getPicture } from './get-evento.ts'
import { listVisibleEvents } from './list-eventos.ts'
import { getSignedPicture, PICTURE_LINK_PATH } from './picture-link.ts'
import { type ReviewDeps, reviewEvent } from './review-evento.ts'

const params = z.object({ event_id: idLongoTexto })

const PATH = '/api/v1/events'

/** No proxy caches the picture. */
const jpegAnswer = (bytes: Buffer, headers: Readonly<Record<string, string>> = {}) =>
  new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      'cache-control': 'private, max-age=3600',
      ...headers,
    },
  })

export const eventosRoutes = (deps: ReviewDeps & EventoDeps & { readonly box: SecretBox }): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarEventos',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    efeito: null,
    resumo: 'Lista os eventos, do mais novo ao mais antigo',
    query: eventosQuerySchema,
    respostas: { 200: z.array(eventoSchema) },
    handler: async ({ caller, query }) => {
      const page = await listVisibleEvents(deps, caller, query)
      return { status: 200, body: page.eventos, headers: cursorPage(PATH, query, page.total, page.proximo) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/events/{event_id}',
    operacao: 'verEvento',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Mostra um evento com o veredito completo e a revisão humana',
    params,
    respostas: { 200: eventoDetalheSchema },
    handler: async ({ caller, params: { event_id } }) => ({
      status: 200,
      body: await getEvent(deps, caller, event_id),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/events/{event_id}/revisao',
    operacao: 'revisarEvento',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Registra a revisão humana de um evento',
    erros: [409],
    params,
    json: revisaoCreateSchema,
    respostas: { 200: eventoDetalheSchema },
    handler: async ({ caller, params: { event_id }, json }) => ({
      status: 200,
      body: await reviewEvent(deps, caller, event_id, json),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/crops/{event_id}',
    operacao: 'verImagem',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Mostra a imagem de um evento',
    params,
    query: cropQuerySchema,
    respostas: { 200: { midia: 'image/jpeg' } },
    handler: async ({ caller, params: { event_id }, query: { imagem, evidencia } }) => {
      const bytes =
        evidencia === undefined
          ? await getPicture(deps, caller, { id: event_id, imagem })
          : await getEvidencia(deps, caller, { id: event_id, ordem: evidencia })
      // The browser does not show the picture to its next login.
      return jpegAnswer(bytes, { vary: 'Authorization, Cookie' })
    },
  }),
  defineRoute({
    method: 'get',
    path: `${PICTURE_LINK_PATH}/{assinatura}`,
    operacao: 'verImagemAssinada',
    acesso: 'publico',
    efeito: null,
    erros: [404, 410],
    resumo: 'Mostra a imagem de um endereço assinado, sem sessão',
    descricao: 'O endereço vem num aviso, abre uma só imagem e vale 7 dias.',
    params: z.object({ assinatura: z.string().max(512) }),
    respostas: { 200: { midia: 'image/jpeg' } },
    handler: async ({ params: { assinatura } }) => jpegAnswer(await getSignedPicture(deps, assinatura)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/metrics',
    operacao: 'contarEventos',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Conta os eventos por tipo, gravidade e veredito',
    query: z.object({ camera_id: idTexto.optional(), empresa_id: idTexto.optional() }),
    respostas: { 200: metricasSchema },
    handler: async ({ caller, query }) => ({ status: 200, body: await countVisibleEvents(deps, caller, query) }),
  }),
]
