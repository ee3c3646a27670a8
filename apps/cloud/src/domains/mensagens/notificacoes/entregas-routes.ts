import { entregaSchema, entregasQuerySchema, reenvioSchema } from '@vigia/contracts/notificacoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { cursorPage } from '../../../http/page-headers.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { NotificacoesDeps } from './deps.ts'
import { listEntregas } from './list-entregas.ts'
import { resendEntrega, resendEntregas } from './resend-entregas.ts'

const params = z.object({ canal_id: idTexto })

/** The deliveries of a canal: their list, and sending again. */
export const entregasRoutes = (deps: NotificacoesDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/notificacoes/{canal_id}/entregas',
    operacao: 'listarEntregas',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    efeito: null,
    resumo: 'Os avisos de um canal nos últimos 30 dias, do mais novo ao mais antigo',
    params,
    query: entregasQuerySchema,
    respostas: { 200: z.array(entregaSchema) },
    handler: async ({ caller, params: { canal_id }, query }) => {
      const { entregas, total, proximo } = await listEntregas(deps, caller, canal_id, query)
      const path = `/api/v1/notificacoes/${canal_id}/entregas`
      return { status: 200, body: entregas, headers: cursorPage(path, query, total, proximo) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/notificacoes/{canal_id}/entregas/{entrega_id}/reenviar',
    operacao: 'reenviarEntrega',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Põe de volta na fila uma entrega que não saiu',
    descricao: 'Ela volta a ter 24 h de tentativas, com o mesmo `id` de mensagem.',
    params: params.extend({ entrega_id: idTexto }),
    erros: [409, 429],
    respostas: { 200: reenvioSchema },
    handler: async ({ caller, params: { canal_id, entrega_id } }) => ({
      status: 200,
      body: await resendEntrega(deps, caller, canal_id, entrega_id),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/notificacoes/{canal_id}/entregas/reenviar',
    operacao: 'reenviarEntregas',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Põe de volta na fila todas as entregas que não saíram de um canal',
    descricao: 'Só as que vão a um destino que o canal ainda tem, da mais antiga à mais nova.',
    params,
    erros: [409, 429],
    respostas: { 200: reenvioSchema },
    handler: async ({ caller, params: { canal_id } }) => ({
      status: 200,
      body: await resendEntregas(deps, caller, canal_id),
    }),
  }),
]
