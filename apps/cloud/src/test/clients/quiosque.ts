import type { Quiosque, QuiosqueCreate } from '@vigia/contracts/quiosques'
import { type Answer, type Client, clientWith, signIn } from './client.ts'

/** A client that sends the token as a browser does: in the cookie, from the page of the same origin. */
export const browserOf = (url: string, token: string): Client =>
  clientWith(url, token, { cookie: `session=${token}`, 'sec-fetch-site': 'same-origin' })

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
