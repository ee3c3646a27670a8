import { createHash, randomBytes } from 'node:crypto'
import type { EscopoOauth } from '@vigia/contracts/oauth'
import { form, send } from './client.ts'
import { SENHA, type TestApp } from './test-app.ts'

const REDIRECT = 'http://127.0.0.1:1/callback'

interface AgentOptions {
  readonly scope?: EscopoOauth
  readonly nome?: string
}

/** Status of the answer that is wanted, or an error with its body. */
async function done<T>(status: number, url: string, init: RequestInit) {
  const answer = await send<T>(url, init)
  if (answer.status !== status) throw new Error(`${url}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

/** Posts the authorization form of the interface for what `url` asks; the redirect back to the client, not followed. */
export async function approve(url: string | URL, username: string, password: string = SENHA): Promise<URL> {
  const { origin, pathname, searchParams } = new URL(url)
  const fields = form({ ...Object.fromEntries(searchParams), username, password })
  const { headers } = await done(303, `${origin}${pathname}`, fields)
  return new URL(headers.get('location') ?? '')
}

/** Registers a client; its `client_id`. */
export async function registerClient(url: string, redirectUri = REDIRECT, nome = 'Agente de teste'): Promise<string> {
  const { body } = await done<{ client_id: string }>(201, `${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirectUri], client_name: nome }),
  })
  return body.client_id
}

/**
 * An access token for /mcp, by the real way: registration, the authorization form posted directly, code and verifier.
 * Nothing listens at the redirect address; nobody follows it.
 */
export async function authorizeAgent(
  app: Pick<TestApp, 'url'>,
  username: string,
  password: string = SENHA,
  { scope = 'mcp', nome }: AgentOptions = {},
): Promise<string> {
  const code_verifier = randomBytes(32).toString('base64url')
  const client = { client_id: await registerClient(app.url, REDIRECT, nome), redirect_uri: REDIRECT }
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const query = new URLSearchParams({ ...client, scope, code_challenge })
  const callback = await approve(`${app.url}/oauth/authorize?${query}`, username, password)
  const code = callback.searchParams.get('code') ?? ''
  const grant = form({ ...client, grant_type: 'authorization_code', code, code_verifier })
  const { body } = await done<{ access_token: string }>(200, `${app.url}/oauth/token`, grant)
  return body.access_token
}
