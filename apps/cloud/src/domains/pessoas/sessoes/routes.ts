import {
  loginFormSchema,
  meSchema,
  SESSAO_S,
  tokenFormSchema,
  tokenRenovadoSchema,
  tokenSchema,
} from '@vigia/contracts/sessoes'
import type { z } from 'zod'
import { requireSameOrigin } from '../../../http/access.ts'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import type { ChangePasswordDeps } from './change-own-password.ts'
import { type CheckPasswordDeps, checkPassword } from './check-password.ts'
import { describeMe } from './describe-me.ts'
import { createEntrance, type EntranceDeps, FORM_BYTES } from './entrance.ts'
import { formRoutes } from './form-routes.ts'
import type { LogOutDeps } from './log-out.ts'
import { ownRoutes } from './own-routes.ts'
import { type RenewDeps, renewSession } from './renew-session.ts'

type LoginForm = z.infer<typeof loginFormSchema>

interface SessoesDeps extends CheckPasswordDeps, ChangePasswordDeps, LogOutDeps, RenewDeps, EntranceDeps {
  /** Public address of the installation; null: not set. */
  readonly urlPublica: string | null
}

const tokenBody = (token: string) => ({ access_token: token, token_type: 'bearer', expires_in: SESSAO_S }) as const

/** The routes of sessions: sign-in by API and by browser, the own sessions, and the end of a session. */
export function sessoesRoutes(deps: SessoesDeps): Route[] {
  const entrance = createEntrance(deps)
  const enter = async (canal: 'painel' | 'api', form: LoginForm, request: RequestInfo) => {
    // Another site must not log a person in to an account of its choice.
    requireSameOrigin(request.header, false)
    return entrance.start(canal, await checkPassword(deps, { ...form, ...entrance.from(request) }), request)
  }

  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/me',
      operacao: 'verMe',
      acesso: 'sessao',
      efeito: 'so_login',
      semSegundoFator: true,
      resumo: 'O login da sessão, seu papel e seu escopo',
      respostas: { 200: meSchema },
      handler: async ({ caller }) => ({
        status: 200,
        body: { ...(await describeMe(deps, caller)), mensagens_com_link: deps.urlPublica !== null },
      }),
    }),
    defineRoute({
      method: 'post',
      path: '/api/v1/auth/token',
      operacao: 'obterToken',
      erros: [401, 403, 429],
      acesso: 'publico',
      efeito: null,
      resumo: 'Token de sessão (formulário OAuth2 password)',
      form: tokenFormSchema,
      limiteBytes: FORM_BYTES,
      respostas: { 200: tokenSchema },
      handler: async ({ form, request }) => ({ status: 200, body: tokenBody(await enter('api', form, request)) }),
    }),
    defineRoute({
      method: 'post',
      path: '/api/v1/auth/login',
      operacao: 'entrar',
      cabecalhos: ['Set-Cookie'],
      erros: [401, 403, 429],
      acesso: 'publico',
      efeito: null,
      resumo: 'Entra: token em JSON e cookie de sessão',
      form: loginFormSchema,
      limiteBytes: FORM_BYTES,
      respostas: { 200: tokenSchema },
      handler: async ({ form, request }) => {
        const token = await enter('painel', form, request)
        return { status: 200, body: tokenBody(token), headers: entrance.cookieOf(token, request) }
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/v1/auth/renovar',
      operacao: 'renovarSessao',
      cabecalhos: ['Set-Cookie'],
      erros: [401, 429, 503],
      acesso: 'sessao',
      efeito: 'so_login',
      semSegundoFator: true,
      resumo: 'Troca o token da sessão por um novo, de uma hora',
      descricao:
        'O token anterior ainda vale por até 60 segundos. A sessão acaba no máximo `VIGIA_SESSAO_MAX_H` horas (12) ' +
        'depois da entrada; um quiosque, 30 dias depois de criado. Canais de alerta abertos continuam.',
      respostas: { 200: tokenRenovadoSchema },
      handler: async ({ caller, request }) => {
        const renewed = await renewSession(deps, caller, request.token ?? '')
        const headers = {
          ...entrance.cookieOf(renewed.access_token, request, renewed.expires_in),
          'cache-control': 'no-store',
        }
        // The token of a quiosque stays in the cookie of its screen, which scripts do not read.
        const body = caller.quiosque ? { ...renewed, access_token: '' } : renewed
        return { status: 200, body, headers }
      },
    }),
    ...ownRoutes(deps, entrance),
    ...formRoutes(deps, entrance),
  ]
}
