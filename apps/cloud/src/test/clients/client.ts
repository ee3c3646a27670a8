/** Answer of a request: status, headers, and the JSON body (null: no body; text: not JSON). */
export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

export interface Client {
  readonly token: string
  /** One JSON request with the Bearer token. */
  send<T = unknown>(method: string, path: string, body?: unknown): Promise<Answer<T>>
  /** Like `send`; returns the body when the status is `status`, else fails with the body. */
  expect<T = unknown>(status: number, method: string, path: string, body?: unknown): Promise<T>
}

/** A raw request that does not follow redirects. */
export async function send<T = unknown>(url: string, init: RequestInit = {}): Promise<Answer<T>> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: parse(text) as T }
}

function parse(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

export const clientOf = (url: string, token: string): Client =>
  clientWith(url, token, { authorization: `Bearer ${token}` })

/** A client that sends its token in these headers. */
export function clientWith(url: string, token: string, headers: Readonly<Record<string, string>>): Client {
  const request = <T>(method: string, path: string, body?: unknown) =>
    send<T>(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    token,
    send: request,
    expect: async <T>(status: number, method: string, path: string, body?: unknown) => {
      const answer = await request<T>(method, path, body)
      if (answer.status !== status)
        throw new Error(`${method} ${path}: ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
  }
}

export async function signIn(url: string, username: string, password: string): Promise<Client> {
  const answer = await send<{ access_token: string }>(`${url}/api/v1/auth/token`, form({ username, password }))
  if (answer.status !== 200) throw new Error(`sign in of ${username}: ${answer.status}`)
  return clientOf(url, answer.body.access_token)
}
