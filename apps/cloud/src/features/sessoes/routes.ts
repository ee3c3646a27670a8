import { VigiaError } from '@vigia/contracts/errors'
import { loginFormSchema, meSchema, SESSAO_S, tokenFormSchema, tokenSchema } from '@vigia/contracts/sessoes'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import { requireSameOrigin } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { requestHost } from '../../http/client-address.ts'
import { defineRoute, type RequestInfo, type Route } from '../../http/route.ts'
import { clearedCookie, sessionCookie } from './cookie.ts'
import { describeMe } from './describe-me.ts'
import { type LogInDeps, logIn } from './log-in.ts'
import { type LogOutDeps, logOut } from './log-out.ts'

interface SessoesDeps extends LogInDeps, LogOutDeps {
  /** VIGIA_COOKIE_SECURE: Secure also where the request does not look like HTTPS. */
  readonly cookieSecure: boolean
}

/** Whoever has no session yet sends these: a megabyte of little fields would cost a second of the processor each time. */
const FORM_BYTES = 64 * 1024

const tokenBody = (token: string) => ({ access_token: token, token_type: 'bearer', expires_in: SESSAO_S }) as const

export function sessoesRoutes(deps: SessoesDeps): Route[] {
  const secure = (request: RequestInfo) => deps.cookieSecure || request.https
  const enter = (canal: 'painel' | 'api', form: { username: string; password: string }, request: RequestInfo) => {
    // Another site must not sign a person into an account of its choice.
    requireSameOrigin(request.header, false)
    const from = { address: request.remoteAddress, host: requestHost(request.header), pedido: request.id }
    return logIn(deps, { ...form, ...from, canal })
  }
  const leave = async ({ caller, request }: { caller: Caller; request: RequestInfo }) => {
    await logOut(deps, caller, { token: request.token ?? '', host: requestHost(request.header) })
    return { status: 303, headers: { location: '/login', 'set-cookie': clearedCookie(secure(request)) } } as const
  }

  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/me',
      operacao: 'verMe',
      acesso: 'sessao',
      resumo: 'O login da sessão, seu papel e seu escopo',
      respostas: { 200: meSchema },
      handler: async ({ caller }) => ({ status: 200, body: await describeMe(deps, caller) }),
    }),
    defineRoute({
      method: 'post',
      path: '/api/v1/auth/token',
      operacao: 'obterToken',
      erros: [401, 403, 429],
      acesso: 'publico',
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
      resumo: 'Entra: token em JSON e cookie de sessão',
      form: loginFormSchema,
      limiteBytes: FORM_BYTES,
      respostas: { 200: tokenSchema },
      handler: async ({ form, request }) => {
        const token = await enter('painel', form, request)
        return {
          status: 200,
          body: tokenBody(token),
          headers: { 'set-cookie': sessionCookie(token, secure(request)) },
        }
      },
    }),
    defineRoute({
      method: 'post',
      path: '/login',
      operacao: 'entrarPeloNavegador',
      cabecalhos: ['Set-Cookie'],
      erros: [403],
      acesso: 'publico',
      resumo: 'Entra pelo formulário do navegador e vai para o painel',
      form: loginFormSchema,
      limiteBytes: FORM_BYTES,
      respostas: { 303: null },
      handler: async ({ form, request }) => {
        const token = await enter('painel', form, request).catch(shownOnThePage)
        if (typeof token === 'object') return { status: 303, headers: { location: `/login?erro=${token.erro}` } }
        return { status: 303, headers: { location: '/', 'set-cookie': sessionCookie(token, secure(request)) } }
      },
    }),
    ...(
      [
        ['/api/v1/auth/logout', 'sair'],
        ['/logout', 'sairPeloNavegador'],
      ] as const
    ).map(([path, operacao]) =>
      defineRoute({
        method: 'get',
        path,
        operacao,
        acesso: 'sessao',
        navegacao: true,
        // It removes the session.
        erros: [503],
        resumo: 'Sai: a sessão deixa de valer na hora',
        respostas: { 303: null },
        handler: leave,
      }),
    ),
  ]
}

/** What the sign-in page has a sentence for; anything else stays a failure. */
function shownOnThePage(error: unknown): { readonly erro: 'credenciais' | 'tentativas' | 'endereco' | 'disco' } {
  if (error instanceof VigiaError && error.code === 'nao_autenticado') return { erro: 'credenciais' }
  if (error instanceof VigiaError && error.code === 'muitas_requisicoes') return { erro: 'tentativas' }
  // Of logIn: where the request came from was checked before it.
  if (error instanceof VigiaError && error.code === 'proibido') return { erro: 'endereco' }
  if (unwritableDisk(error) !== null) return { erro: 'disco' }
  throw error
}
