import type { Quiosque, QuiosqueCreate } from '@vigia/contracts/quiosques'
import { type Answer, type Client, send, signIn } from './client.ts'

/** A client that sends the token as a browser does: in the cookie, from the page of the same origin. */
export function browserOf(url: string, token: string): Client {
  const request = <T>(method: string, path: string, body?: unknown) =>
    send<T>(`${url}${path}`, {
      method,
      headers: {
        ...{ cookie: `session=${token}`, 'sec-fetch-site': 'same-origin' },
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

export const cookieOf = ({ headers }: Pick<Answer, 'headers'>): string =>
  /^session=([\w-]{43});/.exec(headers.getSetCookie()[0] ?? '')?.[1] ?? ''

/** A screen whose browser `username` turned into a quiosque. */
export async function startQuiosque(
  url: string,
  { username, senha }: { readonly username: string; readonly senha: string },
  body: QuiosqueCreate,
): Promise<{ readonly quiosque: Quiosque; readonly client: Client; readonly answer: Answer<Quiosque> }> {
  const browser = browserOf(url, (await signIn(url, username, senha)).token)
  const answer = await browser.send<Quiosque>('POST', '/api/v1/quiosques', body)
  if (answer.status !== 201) throw new Error(`quiosque: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { quiosque: answer.body, client: browserOf(url, cookieOf(answer)), answer }
}
