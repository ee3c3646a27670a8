import type { Efeito } from '@vigia/contracts/efeitos'
import { SENHA, type TestApp } from '../clouds/test-app.ts'
import { type AgentClient, connectWith } from './agent-client.ts'
import { authorizePage, codeOf, requestOf } from './authorize-page.ts'
import { askToken, newClient } from './oauth-flow.ts'

/** RFC 7636, appendix B: the verifier of the challenge in authorize-page.ts. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** A real MCP client that `username` allowed on the consent page, with these effects ticked. */
export const connectTicked = async (
  app: Pick<TestApp, 'url'>,
  username: string,
  ticked: readonly Efeito[],
  fields: Readonly<Record<string, string>> = {},
): Promise<AgentClient> => connectWith(app, await tickedToken(app, username, ticked, fields))

/** The access token of such a client. */
export async function tickedToken(
  app: Pick<TestApp, 'url'>,
  username: string,
  ticked: readonly Efeito[],
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const page = authorizePage(app)
  const client_id = await newClient(app)
  const bilhete = await page.ticket(client_id, { username, password: SENHA })
  const ticks = Object.fromEntries(ticked.map((efeito) => [efeito, 'sim']))
  const code = codeOf(await page.decide({ bilhete, ...fields, ...ticks })) ?? ''
  const { redirect_uri } = requestOf(client_id)
  const grant = { grant_type: 'authorization_code', code, redirect_uri, client_id, code_verifier: VERIFIER }
  return (await askToken(app, grant)).body.access_token
}
