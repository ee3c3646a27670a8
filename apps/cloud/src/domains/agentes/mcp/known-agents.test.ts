import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { send } from '../../../test/clients/client.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)

/** Redirect addresses of the agents in docs/mcp.md and some others: as registered, and as requested later. */
const agents: readonly [name: string, registered: readonly string[], asked: string][] = [
  ['Claude', ['https://claude.ai/api/mcp/auth_callback'], 'https://claude.ai/api/mcp/auth_callback'],
  [
    'ChatGPT',
    ['https://chatgpt.com/connector_platform_oauth_redirect'],
    'https://chatgpt.com/connector_platform_oauth_redirect',
  ],
  ['Claude Code', ['http://localhost:53535/callback'], 'http://localhost:53535/callback'],
  [
    'Visual Studio Code',
    [
      'https://insiders.vscode.dev/redirect',
      'https://vscode.dev/redirect',
      'http://localhost/',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
    ],
    'http://127.0.0.1:49321/',
  ],
  ['Cursor', ['cursor://anysphere.cursor-mcp/oauth/callback'], 'cursor://anysphere.cursor-mcp/oauth/callback'],
  ['mcp-remote', ['http://localhost:21212/oauth/callback'], 'http://localhost:21215/oauth/callback'],
  ['MCP Inspector', ['http://127.0.0.1:6276/oauth/callback'], 'http://127.0.0.1:6276/oauth/callback'],
]

it.each(agents)('%s can register and reaches the consent page', async (client_name, redirect_uris, redirect_uri) => {
  const registered = await send<{ client_id: string }>(`${app.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name,
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }),
  })
  expect(registered).toMatchObject({ status: 201, body: { redirect_uris } })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: registered.body.client_id,
    redirect_uri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource: `${app.url}/mcp`,
  })
  const page = await send<string>(`${app.url}/oauth/authorize?${query}`)
  expect(page.status).toBe(200)
  expect(page.body).toContain(client_name)
})
