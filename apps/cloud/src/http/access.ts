import { CHAVE_PREFIXO } from '@vigia/contracts/chaves'
import { VigiaError } from '@vigia/contracts/errors'
import { type Caller, type Login, type Origem, requireWork, requireWrite } from './caller.ts'
import { requestHost } from './client-address.ts'
import { keyMayCall, requireDeclaredEffect } from './effects.ts'
import { type Acesso, type EdgeCredential, isWebSocket, type Route } from './route.ts'

/**
 * Returns the login of a session token, or the rights of an API key. null: unknown, expired, revoked, or issued for
 * another host.
 * @param host name of the request; null: no check (the host of an open stream was checked at its start)
 */
export type Authenticate = (token: string, host: string | null) => Promise<Login | null>

/**
 * Returns the order that a token of an edge belongs to.
 * @throws VigiaError `nao_autenticado`: unknown, expired, or used up
 */
export type AuthenticateEdge = (token: string) => Promise<EdgeCredential>

type Header = (name: string) => string | undefined
interface Credentials {
  /** Tried in this order. */
  readonly tokens: readonly string[]
  /** The browser adds them to every request, so another site can cause the request. */
  readonly ambient: boolean
}

export const SESSION_COOKIE = 'session'

/**
 * Session cookies that one request may try. A browser sends several when another host of the same domain, or another
 * path, has set a cookie of this name. Such a cookie must not hide the valid one.
 */
const MOST_COOKIES = 8

/**
 * Credentials of the request: the Authorization header, else the query, else the cookies. A wrong header does not fall
 * back. An API key is valid only in the header: proxies log addresses, and browsers add cookies to every request.
 */
function credentialsOf(header: Header, queryToken: string | undefined): Credentials {
  const authorization = header('authorization')
  if (authorization !== undefined) {
    const token = /^bearer +(\S+)\s*$/i.exec(authorization)?.[1]
    return { tokens: token === undefined ? [] : [token], ambient: false }
  }
  if (queryToken !== undefined) return { tokens: isKey(queryToken) ? [] : [queryToken], ambient: false }
  return { tokens: sessionCookies(header), ambient: true }
}

export const isKey = (token: string): boolean => token.startsWith(CHAVE_PREFIXO)

const sessionCookies = (header: Header): string[] =>
  cookieValues(header('cookie') ?? '', SESSION_COOKIE)
    .filter((token) => !isKey(token))
    .slice(0, MOST_COOKIES)

function cookieValues(cookies: string, name: string): string[] {
  return cookies.split(';').flatMap((pair) => {
    const [key, ...value] = pair.split('=')
    return key?.trim() === name ? [value.join('=').trim()] : []
  })
}

/**
 * Rejects a request that another site caused. `strict` (a state-changing request that a cookie authenticates): the
 * request must prove the same origin. Otherwise only proof of another origin rejects it.
 */
export function requireSameOrigin(header: Header, strict: boolean): void {
  const refused = () => new VigiaError('proibido', { detalhe: 'Requisição vinda de outro site.' })
  const site = header('sec-fetch-site')
  if (site !== undefined) {
    // `none` (typed address, bookmark) may read and log in, but not change anything.
    if (site !== 'same-origin' && (strict || site !== 'none')) throw refused()
    return
  }
  const origin = header('origin')
  if (origin === undefined) {
    if (strict) throw refused()
    return
  }
  // `Origin: null` (sandboxed frames, local files) does not parse and is rejected.
  const url = URL.parse(origin)
  if (url === null || url.host !== URL.parse(`${url.protocol}//${header('host') ?? ''}`)?.host) throw refused()
}

/**
 * Authenticates and authorizes a request to `route` before its body is read.
 * @throws VigiaError `nao_autenticado` (401), `proibido` (403: role, or a request from another site).
 */
export async function authorize(
  route: Pick<
    Route,
    'acesso' | 'efeito' | 'resumo' | 'method' | 'tokenNaQuery' | 'navegacao' | 'respostas' | 'semSegundoFator'
  >,
  header: Header,
  queryToken: string | undefined,
  from: Pick<Origem, 'endereco' | 'pedido'>,
  authenticate: Authenticate,
  authenticateEdge: AuthenticateEdge,
): Promise<{ caller: Caller | null; token: string | null; credential: EdgeCredential | null }> {
  if (route.acesso === 'publico') return { caller: null, token: null, credential: null }
  if (route.acesso === 'edge') {
    const { tokens } = credentialsOf((name) => (name === 'cookie' ? undefined : header(name)), undefined)
    return { caller: null, token: null, credential: await authenticateEdge(tokens[0] ?? '') }
  }
  // A page of another site can open a WebSocket and read its messages. It can cause a GET, but not read the response.
  const changes = route.method !== 'get' || isWebSocket(route)
  const credentials = credentialsOf(header, route.tokenNaQuery ? queryToken : undefined)
  const session = await firstSession(credentials.tokens, requestHost(header), authenticate)
  if (!session)
    throw new VigiaError('nao_autenticado', { detalhe: 'Entre para continuar: sessão ausente, inválida ou expirada.' })
  if (session.login.quiosque && !credentials.ambient) throw cookieOnly()
  const { chave } = session.login
  const canal = chave ? 'chave' : credentials.ambient ? 'painel' : 'api'
  const caller: Caller = { ...session.login, origem: { canal, cliente: chave?.nome ?? null, ...from } }
  if (caller.faltaSegundoFator && !route.semSegundoFator) throw enrolFirst()
  if (credentials.ambient && (changes || route.navegacao)) requireSameOrigin(header, changes)
  if (!chave || keyMayCall(route)) requireRole(route.acesso, caller)
  requireDeclaredEffect(route, caller)
  return { caller, token: session.token, credential: null }
}

/** @throws VigiaError `proibido`, with the reason. */
export function requireRole(acesso: Acesso, caller: Login): void {
  if (acesso === 'escrita') requireWrite(caller)
  if (acesso === 'trabalho') requireWork(caller)
  if (acesso === 'edge') throw new VigiaError('proibido', { detalhe: 'Só uma caixa pode fazer este envio.' })
}

const cookieOnly = () =>
  new VigiaError('nao_autenticado', {
    detalhe: 'Uma tela em modo quiosque só entra pelo cookie do navegador dela. Um programa usa uma chave.',
  })

const enrolFirst = () =>
  new VigiaError('proibido', { detalhe: 'Sua Empresa exige um segundo fator. Ligue-o em Minha conta para continuar.' })

/** The login of the session cookie, for a page that also works without login; null: no valid cookie. */
export async function cookieLogin(header: Header, authenticate: Authenticate): Promise<Login | null> {
  return (await firstSession(sessionCookies(header), requestHost(header), authenticate))?.login ?? null
}

async function firstSession(tokens: readonly string[], host: string, authenticate: Authenticate) {
  for (const token of tokens) {
    const login = await authenticate(token, host)
    if (login) return { login, token }
  }
  return null
}
