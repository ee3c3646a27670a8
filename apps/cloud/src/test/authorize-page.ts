import { type Answer, form, send } from './client.ts'
import { REDIRECT } from './oauth-flow.ts'
import { ADMIN, type TestApp } from './test-app.ts'

interface Login {
  readonly username: string
  readonly password: string
}
type Fields = Readonly<Record<string, string>>
type Send = (fields: Fields, headers?: Fields) => Promise<Answer<string>>

/** /oauth/authorize, as a browser without a script asks it. */
export interface AuthorizePage {
  readonly show: Send
  readonly post: Send
  /** Says yes unless told otherwise. */
  readonly decide: Send
  /** The ticket of a consent page that was opened with a password (the operator's unless told). */
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

/** A request of `client_id`; the challenge is the one of RFC 7636, appendix B. */
export const requestOf = (client_id: string, redirect_uri = REDIRECT) => ({
  client_id,
  redirect_uri,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  state: 'xyz',
})

/** '' where the page holds none. */
export const ticketOf = (page: string): string => /name="bilhete" value="([\w-]{43})"/.exec(page)?.[1] ?? ''

/** The code in the address that an answer leads to; null: none. */
export const codeOf = ({ headers }: { readonly headers: Headers }): string | null =>
  URL.parse(headers.get('location') ?? '')?.searchParams.get('code') ?? null
