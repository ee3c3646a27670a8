import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, expect } from 'vitest'
import { it } from '../../../../test/clouds/shared-cloud.ts'
import { newClient, useTools } from './ask-mcp.ts'
import { type Callback, listenForCallback } from './callback.ts'
import { type Installation, startInstallation } from './installation.ts'

let vigia: Installation
let callback: Callback
let agent: ReturnType<typeof createAgent>
let client: Client

it.beforeAll(async ({ browser }) => {
  vigia = await startInstallation({ browser })
  callback = await listenForCallback()
  agent = createAgent(vigia.mcp, callback.redirectUri)
})
afterAll(async () => {
  await client?.close()
  await callback?.stop()
  await vigia?.stop()
})

/** An OAuth client provider as in the documentation of the SDK: stored data and opened addresses. */
function createAgent(mcp: URL, redirectUri: string) {
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string } = {}
  const asked: URL[] = []
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: 'Assistente do turno',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => `estado-${asked.length}`,
    clientInformation: () => kept.client,
    saveClientInformation: (information) => {
      kept.client = information
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      asked.push(url)
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'client') delete kept.client
      if (scope === 'all' || scope === 'tokens') delete kept.tokens
    },
  }
  return { kept, asked, transport: () => new StreamableHTTPClientTransport(mcp, { authProvider: provider }) }
}

const connect = async (transport: StreamableHTTPClientTransport) => {
  client = newClient()
  await client.connect(transport as Transport)
}

/** The person consents to the last request, and the agent fetches its token. */
async function allow() {
  const seen = await vigia.person.authorize(agent.asked.at(-1) ?? '')
  await agent.transport().finishAuth(callback.last().searchParams.get('code') ?? '')
  await connect(agent.transport())
  return seen
}

it('registers and opens the browser by the metadata of the 401', async () => {
  vigia.trail()
  await expect(connect(agent.transport())).rejects.toThrow(UnauthorizedError)
  expect(vigia.trail()).toEqual([
    'POST /mcp 401',
    'GET /.well-known/oauth-protected-resource/mcp 200',
    'GET /.well-known/oauth-authorization-server 200',
    'POST /oauth/register 201',
  ])
  expect(agent.asked).toHaveLength(1)
})

it('works after the person has signed in and consented', async () => {
  const { consent } = await allow()
  expect(consent).toContain('Assistente do turno')
  expect(consent).toContain('127.0.0.1')
  expect(consent).toContain('Mercado Bom Preço')
  expect(consent).toContain(`administrador-${vigia.account.empresaId}`)
  expect(callback.last().searchParams.get('state')).toBe('estado-0')
  const { tools, cameras } = await useTools(client)
  expect(tools).toContain('listar_cameras')
  expect(tools).toContain('criar_camera')
  expect(cameras).toContain(vigia.camera)
})

it('asks for consent again after its access was revoked', async () => {
  const before = agent.kept.client?.client_id
  const [autorizacao] = await vigia.account.admin.expect<{ id: number }[]>(200, 'GET', '/api/v1/autorizacoes')
  await vigia.account.admin.expect(204, 'DELETE', `/api/v1/autorizacoes/${autorizacao?.id}`)
  await expect(useTools(client)).rejects.toThrow(UnauthorizedError)
  expect(agent.kept.client?.client_id).toBe(before)
  await allow()
  expect((await useTools(client)).cameras).toContain(vigia.camera)
})

it('renews its token after one hour', async () => {
  const before = agent.kept.tokens
  const asked = agent.asked.length
  vigia.app.clock.advance(3_601_000)
  vigia.trail()
  expect((await useTools(client)).cameras).toContain(vigia.camera)
  expect(vigia.trail()).toContain('POST /oauth/token 200')
  expect(agent.asked).toHaveLength(asked)
  expect(agent.kept.tokens?.access_token).not.toBe(before?.access_token)
  expect(agent.kept.tokens?.refresh_token).not.toBe(before?.refresh_token)
})

it('registers and asks for consent again after its registration has expired', async () => {
  const before = agent.kept.client?.client_id
  vigia.app.clock.advance(200 * 86_400_000)
  await expect(useTools(client)).rejects.toThrow(UnauthorizedError)
  expect(agent.kept.client?.client_id).not.toBe(before)
  await allow()
  expect((await useTools(client)).cameras).toContain(vigia.camera)
})
