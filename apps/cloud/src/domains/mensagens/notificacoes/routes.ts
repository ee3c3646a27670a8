import {
  canalCreateSchema,
  canalCriadoSchema,
  canalNotificacaoSchema,
  canalPatchSchema,
} from '@vigia/contracts/notificacoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { changeCanal } from './change-canal.ts'
import { createCanal } from './create-canal.ts'
import type { NotificacoesDeps } from './deps.ts'
import { entregasRoutes } from './entregas-routes.ts'
import { removeCanal } from './remove-canal.ts'
import { requireCanal, showCanais, showCanal } from './require-canal.ts'
import { listCanais } from './store.ts'
import { useRoutes } from './use-routes.ts'

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
  ...entregasRoutes(deps),
  ...useRoutes(deps),
]
