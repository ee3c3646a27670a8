import { VigiaError } from '@vigia/contracts/errors'
import { codigoFormSchema, loginFormSchema } from '@vigia/contracts/sessoes'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import { requireSameOrigin } from '../../../http/access.ts'
import type { Caller } from '../../../http/caller.ts'
import { requestHost } from '../../../http/client-address.ts'
import { errorAnswer } from '../../../http/errors.ts'
import { pageAnswer } from '../../../http/pages/page.ts'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import { codePage } from '../segundo-fator/code-page.ts'
import {
  type CheckPasswordDeps,
  type CodeWanted,
  checkPasswordOfForm,
  checkTicket,
  type Entrada,
} from './check-password.ts'
import { type Entrance, FORM_BYTES } from './entrance.ts'
import { type LogOutDeps, logOut } from './log-out.ts'

const HTML = { midia: 'text/html' } as const

/** Sign-in by the form of a browser, in two pages, and the end of a session. */
export function formRoutes(deps: CheckPasswordDeps & LogOutDeps, entrance: Entrance): Route[] {
  /** Answers with the dashboard, the second page, or the sign-in page with a reason. */
  const enterByForm = async (
    check: () => Promise<Entrada | (CodeWanted & { readonly error: VigiaError }) | null>,
    request: RequestInfo,
    typed: boolean,
  ) => {
    requireSameOrigin(request.header, false)
    const result = await (async () => {
      const entered = await check()
      return entered === null || 'error' in entered ? entered : await entrance.start('painel', entered, request)
    })().catch(shownOnThePage)
    if (typeof result === 'string')
      return { status: 303, headers: { location: '/', ...entrance.cookieOf(result, request) } } as const
    if (result === null) return { status: 303, headers: { location: '/login?erro=codigo' } } as const
    if ('erro' in result) return { status: 303, headers: { location: `/login?erro=${result.erro}` } } as const
    return askCode(result, typed)
  }
  const leave = async ({ caller, request }: { caller: Caller; request: RequestInfo }) => {
    await logOut(deps, caller, requestHost(request.header))
    return { status: 303, headers: { location: '/login', ...entrance.clearing(request) } } as const
  }

  return [
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
        enterByForm(
          () => checkPasswordOfForm(deps, { ...form, ...entrance.from(request) }),
          request,
          form.codigo !== undefined,
        ),
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
        enterByForm(() => checkTicket(deps, { ...form, ...entrance.from(request) }), request, true),
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
