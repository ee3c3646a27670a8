import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { AutorizacaoCodigoForm, AutorizacaoForm, DecisaoForm } from '@vigia/contracts/oauth-authorize'
import type { RateLimit } from '../../../adapters/rate-limits/interface.ts'
import { unpackAlcance } from '../../../db/alcance.ts'
import { findEmpresa, listEmpresas } from '../../../db/empresas.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { findUsuario } from '../../../db/usuarios.ts'
import { type Authenticate, cookieLogin, requireSameOrigin } from '../../../http/access.ts'
import type { Origem } from '../../../http/caller.ts'
import { requestHost } from '../../../http/client-address.ts'
import { errorAnswer } from '../../../http/errors.ts'
import { oauthError } from '../../../http/oauth-errors.ts'
import { pageAnswer } from '../../../http/pages/page.ts'
import type { RequestInfo } from '../../../http/route.ts'
import { scopeOf } from '../../../scope/scope-of.ts'
import {
  type CheckPasswordDeps,
  type CodeWanted,
  checkPasswordOfForm,
  checkTicket,
  codePage,
  type Fator,
  requireEnrolled,
} from '../../pessoas/public.ts'
import { answerUri } from './answer-uri.ts'
import { type CheckedRequest, checkAuthorizationRequest, parametersOf, readQuery } from './authorization-request.ts'
import {
  endedTicket,
  redirect,
  sendFull,
  sendRefusal,
  showFull,
  showRefusal,
  unknownClient,
} from './authorize-answers.ts'
import type { ClientDocuments } from './client-documents.ts'
import { askConsent, authorizeDirectly, decideConsent, isFull } from './consent.ts'
import { consentPage } from './pages/consent-page.ts'
import { formActionOf, staysHere } from './pages/redirect-destination.ts'
import { signInPage } from './pages/sign-in-page.ts'
import type { PublicBase } from './public-base.ts'

export interface AuthorizeDeps extends CheckPasswordDeps {
  readonly publicBase: PublicBase
  readonly documents: ClientDocuments
  /** Sessions of the dashboard: with one, the page does not ask for the password. */
  readonly authenticate: Authenticate
  /** Limits the consent pages and codes of one login. */
  readonly consentLimit: RateLimit
}

type Valid = Extract<CheckedRequest, { tipo: 'valido' }>

/** The page of an authorization request: the consent page, or without a session first the sign-in form. */
export async function showPage(
  deps: AuthorizeDeps,
  request: RequestInfo,
): Promise<Response | { readonly status: 401; readonly body: ReturnType<typeof oauthError> }> {
  const base = await deps.publicBase(request)
  const query = new URL(request.raw.url).searchParams
  const { fields, repetidos } = readQuery(query)
  const checked = await checkAuthorizationRequest(deps, base, fields, { ...from(request), repetidos })
  if (checked.tipo === 'desconhecido')
    return isProgram(request)
      ? { status: 401, body: oauthError('invalid_client', 'Unknown client, or not one of its redirect URIs.') }
      : unknownClient(checked.frase)
  if (checked.tipo === 'recusado')
    return staysHere(checked.redirectUri) ? sendRefusal(checked, base) : showRefusal(checked, base)
  const login = query.get('etapa') === 'entrada' ? null : await cookieLogin(request.header, deps.authenticate)
  const usuario = login?.usuarioId != null && (await findUsuario(deps.db, login.usuarioId))
  if (!usuario) return askLogin(checked)
  return consent(deps, usuario, checked, null)
}

/** The sign-in step of the page: a correct password leads to the consent page, a wrong one back to the form. */
export async function signIn(deps: AuthorizeDeps, form: AutorizacaoForm, request: RequestInfo): Promise<Response> {
  requireSameOrigin(request.header, false)
  const base = await deps.publicBase(request)
  const checked = await checkAuthorizationRequest(deps, base, form, from(request))
  if (checked.tipo === 'desconhecido') return unknownClient(checked.frase)
  // Shown on a page, because the CSP of the form does not allow a redirect to the program.
  if (checked.tipo === 'recusado') return showRefusal(checked, base)
  try {
    const entered = await checkPasswordOfForm(deps, { ...form, ...from(request) })
    if ('error' in entered) return askCode(checked, entered, 'consentimento', form.codigo !== undefined)
    return await consent(deps, entered.usuario, checked, { ...originOf(request, 'painel'), fator: entered.fator })
  } catch (error) {
    if (!(error instanceof VigiaError) || !(error.code in falhas)) throw error
    // With the usual 401 and 429, browsers do not offer to save the password, and guessing is visible in the log.
    const { status, headers } = errorAnswer(error, request.id)
    return askLogin(checked, { frase: falhas[error.code] ?? error.detalhe, username: form.username }, status, headers)
  }
}

/**
 * The form of the interface, posted by a program with the password of the login. Answers with the code at once.
 * @throws VigiaError `nao_autenticado`; `muitas_requisicoes`; `proibido` (another site, unknown host, second factor
 * required but not enabled); `validacao` (unknown client or redirect URI; browsers get a page)
 */
export async function authorizeByForm(
  deps: AuthorizeDeps,
  form: AutorizacaoForm,
  request: RequestInfo,
): Promise<Response> {
  requireSameOrigin(request.header, false)
  const base = await deps.publicBase(request)
  const checked = await checkAuthorizationRequest(deps, base, form, from(request))
  if (checked.tipo === 'desconhecido') {
    if (takesPages(request)) return unknownClient(checked.frase)
    throw invalid(['body', 'client_id'], 'Não está registrado aqui, ou não com este redirect_uri', 'unknown_client')
  }
  if (checked.tipo === 'recusado') return sendRefusal(checked, base)
  const entered = await checkPasswordOfForm(deps, { ...form, ...from(request) })
  if (!('error' in entered)) return sendCode(deps, entered.usuario, checked, base, request)
  if (!takesPages(request)) throw entered.error
  return askCode(checked, entered, '', form.codigo !== undefined)
}

/** The second step of the page: the ticket of a correct password, and the code of the second factor. */
export async function signInByCode(
  deps: AuthorizeDeps,
  form: AutorizacaoCodigoForm,
  request: RequestInfo,
): Promise<Response> {
  requireSameOrigin(request.header, false)
  const base = await deps.publicBase(request)
  const checked = await checkAuthorizationRequest(deps, base, form, from(request))
  if (checked.tipo === 'desconhecido') return unknownClient(checked.frase)
  if (checked.tipo === 'recusado') return showRefusal(checked, base)
  const { bilhete, codigo, etapa = '' } = form
  const entered = await checkTicket(deps, { bilhete, codigo, ...from(request) })
  if (!entered) return askLogin(checked, { frase: 'O tempo para o código acabou. Entre outra vez.', username: '' }, 401)
  if ('error' in entered) return askCode(checked, entered, etapa, true)
  const { usuario, fator } = entered
  if (etapa === '') return sendCode(deps, usuario, checked, base, request)
  return consent(deps, usuario, checked, { ...originOf(request, 'painel'), fator })
}

/** Issues the code at once: posting the form of the interface is the consent. */
async function sendCode(
  deps: AuthorizeDeps,
  usuario: UsuarioRow,
  { pedido }: Valid,
  base: string,
  request: RequestInfo,
): Promise<Response> {
  await requireEnrolled(deps.db, usuario)
  await countConsent(deps, usuario)
  try {
    const code = await authorizeDirectly(deps, usuario, pedido, originOf(request, 'api'))
    return redirect(answerUri(pedido.redirectUri, { code }, pedido.state, base))
  } catch (error) {
    if (!isFull(error)) throw error
    return sendFull(pedido, base)
  }
}

/** The decision of the consent page. */
export async function decide(deps: AuthorizeDeps, form: DecisaoForm, request: RequestInfo): Promise<Response> {
  requireSameOrigin(request.header, false)
  const base = await deps.publicBase(request)
  const decision = await decideConsent(deps, form, base, originOf(request, 'painel'))
  if (!decision) return endedTicket()
  const { pedido, code, cheia } = decision
  if (cheia !== null) return showFull(pedido, cheia, base)
  const answer = code === null ? { error: 'access_denied' } : { code }
  return redirect(answerUri(pedido.redirectUri, answer, pedido.state, base))
}

/**
 * Limits the consent pages of a login. Each page allows one decision, which the audit log keeps for ever: even a
 * read-only login must not fill it. @throws VigiaError `muitas_requisicoes`
 */
const countConsent = ({ consentLimit }: AuthorizeDeps, { id }: UsuarioRow) => consentLimit.consume(`login:${id}`)

const originOf = (request: RequestInfo, canal: Origem['canal']): Origem => ({
  canal,
  cliente: null,
  endereco: request.remoteAddress,
  pedido: request.id,
})

const from = (request: RequestInfo) => ({ address: request.remoteAddress, host: requestHost(request.header) })

/**
 * The page for the code of the second factor. @param etapa next step after a correct code; @param typed a code was
 * already submitted
 */
function askCode(
  { pedido }: Valid,
  { bilhete, username, error }: CodeWanted & { readonly error: VigiaError },
  etapa: 'consentimento' | '',
  typed: boolean,
): Response {
  const parameters = parametersOf(pedido)
  const page = codePage({
    action: '/oauth/authorize/codigo',
    campos: [...parameters, ['bilhete', bilhete], ['etapa', etapa]],
    username,
    falha: typed ? error.detalhe : null,
    voltar: `/oauth/authorize?${new URLSearchParams([...parameters, ['etapa', 'entrada']])}`,
  })
  const { status, headers } = errorAnswer(error, '')
  // The answer to this form redirects to the program, so the CSP must allow that address.
  return pageAnswer(etapa === '' ? { ...page, formAction: formActionOf(pedido.redirectUri) } : page, status, headers)
}

/** Errors that a new attempt can solve; the form does not show others. */
const falhas: Readonly<Partial<Record<string, string>>> = {
  nao_autenticado: 'Usuário ou senha incorretos. Confira os dois e tente outra vez.',
  muitas_requisicoes: 'Muitas tentativas seguidas. Aguarde alguns minutos e tente outra vez.',
}

function askLogin(
  { cliente, pedido }: Valid,
  falha?: { readonly frase: string; readonly username: string },
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const page = signInPage({
    cliente: cliente.nome,
    redirectUri: pedido.redirectUri,
    campos: parametersOf(pedido),
    ...(falha && { falha }),
  })
  return pageAnswer(page, status, headers)
}

async function consent(
  deps: AuthorizeDeps,
  usuario: UsuarioRow,
  { cliente, pedido }: Valid,
  entrada: (Origem & { readonly fator: Fator }) | null,
): Promise<Response> {
  await requireEnrolled(deps.db, usuario)
  await countConsent(deps, usuario)
  const bilhete = await askConsent(deps, usuario, pedido, entrada)
  const { username, papel } = usuario
  const escopo = await scopeOf(deps.db, usuario)
  const empresas = await listEmpresas(deps.db, escopo === 'tudo' ? null : [...escopo])
  const own = usuario.empresa_id === null ? undefined : await findEmpresa(deps.db, usuario.empresa_id)
  const outroLogin = `/oauth/authorize?${new URLSearchParams([...parametersOf(pedido), ['etapa', 'entrada']])}`
  const { redirectUri } = pedido
  return pageAnswer(
    consentPage({
      cliente: cliente.nome,
      documento: cliente.lido_em === null ? null : new URL(cliente.client_id).host,
      redirectUri,
      escopo: pedido.escopo,
      username,
      papel,
      alcance: unpackAlcance(usuario.alcance, papel),
      propria: own ?? null,
      empresas,
      bilhete,
      outroLogin,
    }),
  )
}

/** A program checks its registration before it opens a browser, and registers again after `invalid_client`. */
const isProgram = (request: RequestInfo): boolean =>
  (request.header('accept') ?? '').includes('application/json') && !takesPages(request)

const takesPages = (request: RequestInfo): boolean => (request.header('accept') ?? '').includes('text/html')
