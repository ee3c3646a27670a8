import {
  canalCreateSchema,
  canalCriadoSchema,
  canalNotificacaoSchema,
  canalPatchSchema,
  entregaSchema,
  entregasQuerySchema,
  reenvioSchema,
  segredoCanalSchema,
  testeCanalSchema,
} from '@vigia/contracts/notificacoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { cursorPage } from '../../../http/page-headers.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { changeCanal } from './change-canal.ts'
import { createCanal } from './create-canal.ts'
import type { NotificacoesDeps } from './deps.ts'
import { listEntregas } from './list-entregas.ts'
import { removeCanal } from './remove-canal.ts'
import { requireCanal, showCanais, showCanal } from './require-canal.ts'
import { resendEntrega, resendEntregas } from './resend-entregas.ts'
import { rotateSecret } from './rotate-secret.ts'
import { listCanais } from './store.ts'
import { testCanal } from './test-canal.ts'

const params = z.object({ canal_id: idTexto })

export const notificacoesRoutes = (deps: NotificacoesDeps): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/notificacoes',
    operacao: 'criarCanalNotificacao',
    erros: [409],
    acesso: 'escrita',
    efeito: ['reveals'],
    resumo: 'Cria um canal de notificação',
    descricao:
      'O `segredo` com que os webhooks são assinados (Standard Webhooks) vem só nesta resposta; ' +
      'nos outros tipos é null.',
    json: canalCreateSchema,
    respostas: { 201: canalCriadoSchema },
    handler: async ({ caller, json }) => ({ status: 201, body: await createCanal(deps, caller, json) }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/notificacoes',
    operacao: 'listarCanaisNotificacao',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Canais de notificação no escopo do login',
    query: z.object({ empresa_id: idTexto.optional() }),
    respostas: { 200: z.array(canalNotificacaoSchema) },
    handler: async ({ caller, query }) => {
      const rows = await listCanais(deps.db, await narrowScope(deps.db, caller, query.empresa_id))
      return { status: 200, body: await showCanais(deps.db, rows) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/notificacoes/{canal_id}',
    operacao: 'verCanalNotificacao',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Um canal de notificação',
    params,
    respostas: { 200: canalNotificacaoSchema },
    handler: async ({ caller, params: { canal_id } }) => ({
      status: 200,
      body: await showCanal(deps.db, await requireCanal(deps.db, caller, canal_id)),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/v1/notificacoes/{canal_id}',
    operacao: 'alterarCanalNotificacao',
    erros: [409],
    acesso: 'escrita',
    efeito: ['reveals'],
    resumo: 'Muda os campos enviados de um canal de notificação',
    descricao: 'Um canal que passa a webhook recebe um segredo novo, que só a troca de segredo mostra.',
    params,
    json: canalPatchSchema,
    respostas: { 200: canalNotificacaoSchema },
    handler: async ({ caller, params: { canal_id }, json }) => ({
      status: 200,
      body: await changeCanal(deps, caller, canal_id, json),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/notificacoes/{canal_id}',
    operacao: 'removerCanalNotificacao',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Remove um canal de notificação',
    params,
    respostas: { 204: null },
    handler: async ({ caller, params: { canal_id } }) => {
      await removeCanal(deps, caller, canal_id)
      return { status: 204 }
    },
  }),
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
  defineRoute({
    method: 'post',
    path: '/api/v1/notificacoes/{canal_id}/teste',
    operacao: 'testarCanalNotificacao',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Envia uma notificação de teste a todos os destinos do canal',
    descricao:
      'Também de um canal inativo. `erros` tem uma frase para cada destino que falhou. No WhatsApp, `ok` diz que a ' +
      'Twilio aceitou a mensagem, não que ela chegou.',
    params,
    erros: [429],
    respostas: { 200: testeCanalSchema },
    handler: async ({ caller, params: { canal_id }, request }) => ({
      status: 200,
      body: await testCanal(deps, caller, canal_id, request.signal),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/notificacoes/{canal_id}/segredo',
    operacao: 'trocarSegredoCanalNotificacao',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Troca o segredo de assinatura de um webhook e mostra o novo, uma única vez',
    descricao: 'O segredo anterior deixa de valer na hora.',
    params,
    erros: [409],
    respostas: { 200: segredoCanalSchema },
    handler: async ({ caller, params: { canal_id } }) => ({
      status: 200,
      body: await rotateSecret(deps, caller, canal_id),
    }),
  }),
]
