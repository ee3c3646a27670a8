import { createHash, randomBytes } from 'node:crypto'
import { request as rawRequest } from 'node:http'
import type { EscopoOauth } from '@vigia/contracts/oauth'
import { ADMIN, SENHA, type TestApp } from '../clouds/test-app.ts'
import { type Answer, type Client, form, send } from './client.ts'

interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

interface OauthTokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
}

/** Tokens or a refusal. */
type TokenBody = OauthTokens & {
  readonly error?: string
  readonly error_description?: string
  readonly detail?: unknown
}

/** No server listens there, and no test follows the redirect. */
export const REDIRECT = 'http://127.0.0.1:1/callback'

/** Base URL of an app, or of a proxy in front of it. */
type Origin = Pick<TestApp, 'url'>

export const register = <T = { client_id: string }>(app: Origin, body: unknown): Promise<Answer<T>> =>
  send<T>(`${app.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Registers a client and returns its id. */
export async function newClient(
  app: Origin,
  redirectUris: readonly string[] = [REDIRECT],
  nome = 'Agente de teste',
): Promise<string> {
  const answer = await register(app, { redirect_uris: redirectUris, client_name: nome })
  if (answer.status !== 201) throw new Error(`registration: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.client_id
}

const passwordOf = (username: string): string => (username === ADMIN.username ? ADMIN.password : SENHA)

/** Posts the consent form for `url` and returns the redirect to the client without following it. */
export async function approve(
  url: string | URL,
  username: string,
  password: string = passwordOf(username),
): Promise<URL> {
  const { origin, pathname, searchParams } = new URL(url)
  const fields = form({ ...Object.fromEntries(searchParams), username, password })
  const { status, headers, body } = await send(`${origin}${pathname}`, fields)
  if (status !== 303) throw new Error(`authorization: ${status} ${JSON.stringify(body)}`)
  return new URL(headers.get('location') ?? '')
}

/** An authorization code of `clientId` for a login (default: the operator). */
export async function newCode(
  app: Origin,
  clientId: string,
  { challenge }: Pick<Pkce, 'challenge'>,
  { username = ADMIN.username, password, ...fields }: Readonly<Record<string, string>> = {},
): Promise<string> {
  const asked = { client_id: clientId, redirect_uri: REDIRECT, code_challenge: challenge, ...fields }
  const callback = await approve(`${app.url}/oauth/authorize?${new URLSearchParams(asked)}`, username, password)
  const code = callback.searchParams.get('code')
  if (!code) throw new Error(`authorization: ${callback}`)
  return code
}

/** @param for example headers of a proxy with the client address */
export const askToken = (
  app: Origin,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<TokenBody>> => send<TokenBody>(`${app.url}/oauth/token`, { ...form(fields), headers })

export const codeFields = (clientId: string, code: string, { verifier }: Pick<Pkce, 'verifier'>) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: REDIRECT,
  client_id: clientId,
  code_verifier: verifier,
})

export const refreshFields = (clientId: string, refreshToken: string) => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken,
  client_id: clientId,
})

export interface Authorized extends OauthTokens {
  readonly clientId: string
  readonly code: string
  readonly pkce: Pkce
}

/** A registered and authorized agent with its first tokens. */
export async function newAgent(
  app: Origin,
  login: Readonly<Record<string, string>> = {},
  nome?: string,
): Promise<Authorized> {
  const clientId = await newClient(app, [REDIRECT], nome)
  const pkce = newPkce()
  const code = await newCode(app, clientId, pkce, login)
  const { status, body } = await askToken(app, codeFields(clientId, code, pkce))
  if (status !== 200) throw new Error(`exchange: ${status} ${JSON.stringify(body)}`)
  return { ...body, clientId, code, pkce }
}

/** Creates an agent of `username` and returns its access token. */
export const authorizeAgent = async (
  app: Origin,
  username: string,
  { scope = 'mcp', nome }: { readonly scope?: EscopoOauth; readonly nome?: string } = {},
): Promise<string> => (await newAgent(app, { username, scope }, nome)).access_token

/** true: the MCP server accepts the token. A GET gets one status for an agent and another for all other callers. */
export async function isTaken(app: Origin, accessToken: string): Promise<boolean> {
  const { status } = await send(`${app.url}/mcp`, { headers: { authorization: `Bearer ${accessToken}` } })
  if (status !== 401 && status !== 405) throw new Error(`GET /mcp: ${status}`)
  return status === 405
}

export async function loginId(admin: Client, username: string): Promise<number> {
  const logins = await admin.expect<{ id: number; username: string }[]>(200, 'GET', '/api/v1/usuarios')
  const login = logins.find((each) => each.username === username)
  if (!login) throw new Error(`no login ${username}`)
  return login.id
}

/** Sends a GET with `host` as its Host header and returns the JSON body. */
export function getAt<T>(app: Origin, host: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const { port } = new URL(app.url)
  return new Promise<{ status: number; body: T }>((resolve, reject) => {
    const sent = rawRequest({ port, host: '127.0.0.1', path, headers: { ...headers, host } }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text || 'null') }))
    })
    sent.on('error', reject)
    sent.end()
  })
}
