import { senhaPropriaSchema, sessaoSchema, tokenRenovadoSchema } from '@vigia/contracts/sessoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { type ChangePasswordDeps, changeOwnPassword } from './change-own-password.ts'
import type { Entrance } from './entrance.ts'
import type { LogOutDeps } from './log-out.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'

/** The sessions and the password of the login itself. */
export const ownRoutes = (deps: ChangePasswordDeps & LogOutDeps, { from, cookieOf }: Entrance): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/me/sessoes',
    operacao: 'listarSessoes',
    acesso: 'sessao',
    efeito: 'so_login',
    erros: [403],
    resumo: 'As entradas deste login que ainda valem, a última usada primeiro',
    respostas: { 200: z.array(sessaoSchema) },
    handler: async ({ caller }) => ({ status: 200, body: await listOwnSessions(deps, caller) }),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/me/sessoes/{id}',
    operacao: 'encerrarSessao',
    acesso: 'sessao',
    efeito: 'so_login',
    erros: [403, 503],
    resumo: 'Encerra uma entrada deste login na hora',
    params: z.object({ id: idTexto }),
    respostas: { 204: null },
    handler: async ({ caller, params: { id } }) => {
      await endOwnSession(deps, caller, id)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/me/senha',
    operacao: 'mudarSenha',
    cabecalhos: ['Set-Cookie'],
    acesso: 'sessao',
    efeito: 'so_login',
    erros: [403, 429],
    resumo: 'Muda a própria senha; todas as entradas do login acabam, e esta recebe outra',
    descricao:
      'A resposta traz o token e o cookie de uma sessão nova. As outras, os agentes que o login autorizou, os ' +
      'convites que ele criou e as telas em modo quiosque que ele fez deixam de valer na hora. As telas de ' +
      '`quiosques` continuam.',
    json: senhaPropriaSchema,
    respostas: { 200: tokenRenovadoSchema },
    handler: async ({ caller, json, request }) => {
      const body = await changeOwnPassword(deps, caller, json, from(request))
      const headers = { ...cookieOf(body.access_token, request, body.expires_in), 'cache-control': 'no-store' }
      return { status: 200, body, headers }
    },
  }),
]
