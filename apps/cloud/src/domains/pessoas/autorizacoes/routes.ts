import { autorizacaoSchema, autorizacoesQuerySchema } from '@vigia/contracts/autorizacoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { answerPage } from '../../../http/page-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { type AutorizacoesDeps, listVisibleAuthorizations } from './list-autorizacoes.ts'
import { takeBackAuthorization } from './take-back-authorization.ts'

const PATH = '/api/v1/autorizacoes'

export const autorizacoesRoutes = (deps: AutorizacoesDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarAutorizacoes',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    efeito: 'so_login',
    resumo: 'Lista os agentes que têm acesso agora, do mais novo ao mais antigo',
    descricao:
      'Um `usuario` vê os agentes que ele mesmo autorizou; um `administrador`, os de todos os logins no seu escopo. ' +
      'Acessos revogados, vencidos ou que o agente nunca buscou não aparecem.',
    query: autorizacoesQuerySchema,
    respostas: { 200: z.array(autorizacaoSchema) },
    handler: async ({ caller, query }) => answerPage(PATH, query, await listVisibleAuthorizations(deps, caller, query)),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/autorizacoes/{id}',
    operacao: 'revogarAutorizacao',
    acesso: 'escrita',
    efeito: 'so_login',
    resumo: 'Retira o acesso de um agente; os tokens dele deixam de valer na hora',
    params: z.object({ id: idTexto }),
    respostas: { 204: null },
    handler: async ({ caller, params: { id } }) => {
      await takeBackAuthorization(deps, caller, id)
      return { status: 204 }
    },
  }),
]
