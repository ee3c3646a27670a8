import { createHash, randomBytes } from 'node:crypto'
import { request as rawRequest } from 'node:http'
import type { EscopoOauth } from '@vigia/contracts/oauth'
import { type Answer, type Client, form, send } from './client.ts'
import { ADMIN, SENHA, type TestApp } from './test-app.ts'

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

/** Nothing listens there, and nobody follows it. */
export const REDIRECT = 'http://127.0.0.1:1/callback'

/** Where an app is reached; a proxy before it will do. */
type Place = Pick<TestApp, 'url'>

export const register = <T = { client_id: string }>(app: Place, body: unknown): Promise<Answer<T>> =>
  send<T>(`${app.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Id of a newly registered client. */
export async function newClient(
  app: Place,
  redirectUris: readonly string[] = [REDIRECT],
  nome = 'Agente de teste',
): Promise<string> {
  const answer = await register(app, { redirect_uris: redirectUris, client_name: nome })
  if (answer.status !== 201) throw new Error(`registration: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.client_id
}

const passwordOf = (username: string): string => (username === ADMIN.username ? ADMIN.password : SENHA)

/** Posts the form of the interface for what `url` asks; the redirect back to the client, not followed. */
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

/** A code by which `clientId` may act for a login (the operator unless told). */
export async function newCode(
  app: Place,
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

/** @param headers of a proxy, for example: where the request comes from */
export const askToken = (
  app: Place,
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

/** An agent that has gone all the way: registered, allowed, with its first tokens. */
export async function newAgent(
  app: Place,
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

/** The access token of a new agent of `username`. */
export const authorizeAgent = async (
  app: Place,
  username: string,
  { scope = 'mcp', nome }: { readonly scope?: EscopoOauth; readonly nome?: string } = {},
): Promise<string> => (await newAgent(app, { username, scope }, nome)).access_token

/** Whether the MCP server takes the token: a GET has no answer for an agent, and another for everybody else. */
export async function isTaken(app: Place, accessToken: string): Promise<boolean> {
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

/** A GET that names `host`, wherever the app really is; the JSON body. */
export function getAt<T>(app: Place, host: string, path: string, headers: Readonly<Record<string, string>> = {}) {
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
