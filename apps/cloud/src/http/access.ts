import { VigiaError } from '@vigia/contracts/errors'
import { type Caller, requireWrite } from './caller.ts'
import type { Route } from './route.ts'

/** Turns a session token into its caller; null: unknown, expired or revoked. */
export type Authenticate = (token: string) => Promise<Caller | null>

type Header = (name: string) => string | undefined
interface Credentials {
  readonly token: string
  /** Sent by the browser on its own, so that another site can cause the request. */
  readonly ambient: boolean
}

export const SESSION_COOKIE = 'session'

/** The request's own credentials: an Authorization header is used even when it is wrong, before query and cookie. */
function credentialsOf(header: Header, queryToken: string | undefined): Credentials | null {
  const authorization = header('authorization')
  if (authorization !== undefined) {
    const token = /^bearer +(\S+)\s*$/i.exec(authorization)?.[1]
    return token === undefined ? null : { token, ambient: false }
  }
  if (queryToken !== undefined) return { token: queryToken, ambient: false }
  const token = cookieValue(header('cookie') ?? '', SESSION_COOKIE)
  return token === undefined ? null : { token, ambient: true }
}

function cookieValue(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const [key, ...value] = pair.split('=')
    if (key?.trim() === name) return value.join('=').trim()
  }
  return undefined
}

/**
 * Refuses a request that another site caused. `strict` (a state-changing request that a cookie authenticates): there has
 * to be proof of the same origin. Otherwise only proof of another origin refuses.
 */
export function requireSameOrigin(header: Header, strict: boolean): void {
  const refused = () => new VigiaError('proibido', { detalhe: 'Requisição vinda de outro site.' })
  const site = header('sec-fetch-site')
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw refused()
    return
  }
  const origin = header('origin')
  if (origin === undefined) {
    if (strict) throw refused()
    return
  }
  // `Origin: null` (sandboxed frames, local files) does not parse and is refused.
  if (URL.parse(origin)?.host !== (header('host') ?? '').toLowerCase()) throw refused()
}

/**
 * Decides who calls `route` before anything of the body is read.
 * @throws VigiaError `nao_autenticado` (401), `proibido` (403: role, or a request from another site).
 */
export async function authorize(
  route: Pick<Route, 'acesso' | 'method' | 'tokenNaQuery' | 'navegacao'>,
  header: Header,
  queryToken: string | undefined,
  authenticate: Authenticate,
): Promise<{ caller: Caller | null; token: string | null }> {
  if (route.acesso === 'publico') return { caller: null, token: null }
  const changes = route.method !== 'get'
  const credentials = credentialsOf(header, route.tokenNaQuery ? queryToken : undefined)
  const caller = credentials && (await authenticate(credentials.token))
  if (!credentials || !caller)
    throw new VigiaError('nao_autenticado', { detalhe: 'Entre para continuar: sessão ausente, inválida ou expirada.' })
  if (credentials.ambient && (changes || route.navegacao)) requireSameOrigin(header, changes)
  if (route.acesso === 'escrita') requireWrite(caller)
  return { caller, token: credentials.token }
}
