import { VigiaError } from '@vigia/contracts/errors'
import {
  codigoFormSchema,
  loginFormSchema,
  meSchema,
  SESSAO_S,
  senhaPropriaSchema,
  sessaoSchema,
  tokenFormSchema,
  tokenRenovadoSchema,
  tokenSchema,
} from '@vigia/contracts/sessoes'
import { idTexto } from '@vigia/contracts/values'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import { z } from 'zod'
import { requireSameOrigin } from '../../../http/access.ts'
import type { Caller } from '../../../http/caller.ts'
import { requestHost } from '../../../http/client-address.ts'
import { errorAnswer } from '../../../http/errors.ts'
import { pageAnswer } from '../../../http/pages/page.ts'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import { codePage } from '../segundo-fator/code-page.ts'
import { type ChangePasswordDeps, changeOwnPassword } from './change-own-password.ts'
import {
  type CheckPasswordDeps,
  type CodeWanted,
  checkPassword,
  checkPasswordOfForm,
  checkTicket,
  type Entrada,
} from './check-password.ts'
import { clearedCookie, sessionCookie } from './cookie.ts'
import { describeMe } from './describe-me.ts'
import { type LogInDeps, logIn } from './log-in.ts'
import { type LogOutDeps, logOut } from './log-out.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'
import { type RenewDeps, renewSession } from './renew-session.ts'

type LoginForm = z.infer<typeof loginFormSchema>

const HTML = { midia: 'text/html' } as const

interface SessoesDeps extends CheckPasswordDeps, ChangePasswordDeps, LogInDeps, LogOutDeps, RenewDeps {
  /** VIGIA_COOKIE_SECURE: sets Secure also for requests without HTTPS. */
  readonly cookieSecure: boolean
}

/** Small, because the sender has no session yet: 1 MiB of small fields would cost a second of CPU time. */
const FORM_BYTES = 64 * 1024

const tokenBody = (token: string) => ({ access_token: token, token_type: 'bearer', expires_in: SESSAO_S }) as const

export function sessoesRoutes(deps: SessoesDeps): Route[] {
  const secure = (request: RequestInfo) => deps.cookieSecure || request.https
  const from = (request: RequestInfo) => ({
    address: request.remoteAddress,
    host: requestHost(request.header),
    agente: request.header('user-agent'),
  })
  const cookieOf = (token: string, request: RequestInfo, maxAgeS: number = SESSAO_S) => ({
    'set-cookie': sessionCookie(token, maxAgeS, secure(request)),
  })
  const start = (canal: 'painel' | 'api', entrada: Entrada, request: RequestInfo) =>
    logIn(deps, entrada, { ...from(request), pedido: request.id, canal })
  const enter = async (canal: 'painel' | 'api', form: LoginForm, request: RequestInfo) => {
    // Another site must not log a person in to an account of its choice.
    requireSameOrigin(request.header, false)
    return start(canal, await checkPassword(deps, { ...form, ...from(request) }), request)
  }
  /** Login by the browser form: answers with the dashboard, the second page, or the sign-in page with a reason. */
  const enterByForm = async (
    check: () => Promise<Entrada | (CodeWanted & { readonly error: VigiaError }) | null>,
    request: RequestInfo,
    typed: boolean,
  ) => {
    requireSameOrigin(request.header, false)
    const result = await (async () => {
      const entered = await check()
      return entered === null || 'error' in entered ? entered : await start('painel', entered, request)
    })().catch(shownOnThePage)
    if (typeof result === 'string')
      return { status: 303, headers: { location: '/', ...cookieOf(result, request) } } as const
    if (result === null) return { status: 303, headers: { location: '/login?erro=codigo' } } as const
    if ('erro' in result) return { status: 303, headers: { location: `/login?erro=${result.erro}` } } as const
    return askCode(result, typed)
  }
  const leave = async ({ caller, request }: { caller: Caller; request: RequestInfo }) => {
    await logOut(deps, caller, requestHost(request.header))
    return { status: 303, headers: { location: '/login', 'set-cookie': clearedCookie(secure(request)) } } as const
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
      handler: async ({ caller }) => ({ status: 200, body: await describeMe(deps, caller) }),
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
        return { status: 200, body: tokenBody(token), headers: cookieOf(token, request) }
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
        const headers = { ...cookieOf(renewed.access_token, request, renewed.expires_in), 'cache-control': 'no-store' }
        // The token of a quiosque stays in the cookie of its screen, which scripts do not read.
        const body = caller.quiosque ? { ...renewed, access_token: '' } : renewed
        return { status: 200, body, headers }
      },
    }),
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
    defineRoute({
      method: 'post',
      path: '/login',
      operacao: 'entrarPeloNavegador',
      cabecalhos: ['Set-Cookie'],
      erros: [403],
      acesso: 'publico',
      efeito: null,
      resumo: 'Entra pelo formulário do navegador e vai para o painel',
      form: loginFormSchema,
      limiteBytes: FORM_BYTES,
      respostas: { 303: null, 401: HTML },
      handler: ({ form, request }) =>
        enterByForm(() => checkPasswordOfForm(deps, { ...form, ...from(request) }), request, form.codigo !== undefined),
    }),
    defineRoute({
      method: 'post',
      path: '/login/codigo',
      operacao: 'entrarComCodigo',
      cabecalhos: ['Set-Cookie'],
      erros: [403],
      acesso: 'publico',
      efeito: null,
      resumo: 'A segunda página do formulário do navegador: o código do segundo fator',
      form: codigoFormSchema,
      limiteBytes: FORM_BYTES,
      respostas: { 303: null, 401: HTML, 429: HTML },
      handler: ({ form, request }) =>
        enterByForm(() => checkTicket(deps, { ...form, ...from(request) }), request, true),
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
        efeito: 'so_login',
        navegacao: true,
        // The handler deletes the session.
        erros: [503],
        semSegundoFator: true,
        resumo: 'Sai: a sessão deixa de valer na hora',
        respostas: { 303: null },
        handler: leave,
      }),
    ),
  ]
}

/** The page for the code of the second factor. @param typed a code was already submitted */
function askCode({ bilhete, username, error }: CodeWanted & { readonly error: VigiaError }, typed: boolean): Response {
  const page = codePage({
    action: '/login/codigo',
    campos: [['bilhete', bilhete]],
    username,
    falha: typed ? error.detalhe : null,
    voltar: '/login',
  })
  const { status, headers } = errorAnswer(error, '')
  return pageAnswer(page, status, headers)
}

/** Errors with a sentence on the sign-in page; others stay errors. */
function shownOnThePage(error: unknown): { readonly erro: 'credenciais' | 'tentativas' | 'endereco' | 'disco' } {
  if (error instanceof VigiaError && error.code === 'nao_autenticado') return { erro: 'credenciais' }
  if (error instanceof VigiaError && error.code === 'muitas_requisicoes') return { erro: 'tentativas' }
  // Input of logIn. The origin of the request is already checked.
  if (error instanceof VigiaError && error.code === 'proibido') return { erro: 'endereco' }
  if (unwritableDisk(error) !== null) return { erro: 'disco' }
  throw error
}
