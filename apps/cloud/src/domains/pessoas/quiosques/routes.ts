import { QUIOSQUE_S, quiosqueCreateSchema, quiosqueSchema, quiosquesQuerySchema } from '@vigia/contracts/quiosques'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { requestHost } from '../../../http/client-address.ts'
import { answerPage } from '../../../http/page-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { sessionCookie } from '../sessoes/cookie.ts'
import { createQuiosque } from './create-quiosque.ts'
import type { QuiosquesDeps } from './deps.ts'
import { listVisibleQuiosques } from './list-quiosques.ts'
import { removeQuiosque } from './remove-quiosque.ts'

const PATH = '/api/v1/quiosques'

export const quiosquesRoutes = (deps: QuiosquesDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarQuiosques',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'escrita',
    efeito: 'so_login',
    resumo: 'Lista as telas em modo quiosque no escopo, da mais nova à mais antiga',
    query: quiosquesQuerySchema,
    respostas: { 200: z.array(quiosqueSchema) },
    handler: async ({ caller, query }) => answerPage(PATH, query, await listVisibleQuiosques(deps, caller, query)),
  }),
  defineRoute({
    method: 'post',
    path: PATH,
    operacao: 'criarQuiosque',
    cabecalhos: ['Set-Cookie'],
    erros: [401, 403, 409],
    acesso: 'escrita',
    efeito: 'grants',
    resumo: 'Põe a tela desta requisição em modo quiosque por 30 dias',
    descricao:
      'O cookie da resposta troca a sessão de quem cria pela da tela, que vê só o seu alcance e responde com o nome ' +
      '`quiosque: <nome>`. A sessão de quem cria acaba. Só o navegador da tela pede isto, com o cookie e da própria ' +
      'página (403 com um token no cabeçalho). A tela acaba quando quem a fez é desativado, removido, perde o papel ' +
      'ou recebe uma senha nova de outra pessoa, ou quando passa a faltar a ele o segundo fator.',
    json: quiosqueCreateSchema,
    respostas: { 201: quiosqueSchema },
    handler: async ({ caller, json, request }) => {
      const origin = {
        address: request.remoteAddress,
        host: requestHost(request.header),
        agente: request.header('user-agent'),
      }
      const { quiosque, token } = await createQuiosque(deps, caller, json, origin)
      const secure = deps.cookieSecure || request.https
      const headers = { 'set-cookie': sessionCookie(token, QUIOSQUE_S, secure), 'cache-control': 'no-store' }
      return { status: 201, body: quiosque, headers }
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${PATH}/{id}`,
    operacao: 'removerQuiosque',
    acesso: 'escrita',
    efeito: 'so_login',
    resumo: 'Encerra uma tela em modo quiosque na hora',
    params: z.object({ id: idTexto }),
    respostas: { 204: null },
    handler: async ({ caller, params: { id } }) => {
      await removeQuiosque(deps, caller, id)
      return { status: 204 }
    },
  }),
]
