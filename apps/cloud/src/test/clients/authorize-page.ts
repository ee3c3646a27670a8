import { ADMIN, type TestApp } from '../clouds/test-app.ts'
import { type Answer, form, send } from './client.ts'
import { REDIRECT } from './oauth-flow.ts'

interface Login {
  readonly username: string
  readonly password: string
}
type Fields = Readonly<Record<string, string>>
type Send = (fields: Fields, headers?: Fields) => Promise<Answer<string>>

/** /oauth/authorize, requested as by a browser without JavaScript. */
export interface AuthorizePage {
  readonly show: Send
  readonly post: Send
  /** Default: consents. */
  readonly decide: Send
  /** Signs in with a password (default: the operator's) and returns the ticket of the consent page. */
  ticket(clientId: string, login?: Login, redirectUri?: string): Promise<string>
}

export function authorizePage({ url }: Pick<TestApp, 'url'>): AuthorizePage {
  const post: Send = (fields, headers = {}) => send(`${url}/oauth/authorize`, { ...form(fields), headers })
  return {
    show: (fields, headers = {}) => send(`${url}/oauth/authorize?${new URLSearchParams(fields)}`, { headers }),
    post,
    decide: (fields, headers = {}) =>
      send(`${url}/oauth/authorize/decisao`, { ...form({ decisao: 'autorizar', ...fields }), headers }),
    ticket: async (clientId, { username, password } = ADMIN, redirectUri) =>
      ticketOf((await post({ ...requestOf(clientId, redirectUri), username, password, etapa: 'consentimento' })).body),
  }
}

/** An authorization request of `client_id`, with the challenge of RFC 7636, appendix B. */
export const requestOf = (client_id: string, redirect_uri = REDIRECT) => ({
  client_id,
  redirect_uri,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  state: 'xyz',
})

/** '' for a page without a ticket. */
export const ticketOf = (page: string): string => /name="bilhete" value="([\w-]{43})"/.exec(page)?.[1] ?? ''

/** The code in the redirect address of an answer; null: none. */
export const codeOf = ({ headers }: { readonly headers: Headers }): string | null =>
  URL.parse(headers.get('location') ?? '')?.searchParams.get('code') ?? null
