import * as oauth from 'oauth4webapi'
import { afterAll, expect } from 'vitest'
import { it } from '../../../../test/clouds/shared-cloud.ts'
import { challenge, useToolsWith } from './ask-mcp.ts'
import { type Callback, listenForCallback } from './callback.ts'
import { type Installation, startInstallation } from './installation.ts'

/** The installation of the test uses http on the loopback interface. */
const options = { [oauth.allowInsecureRequests]: true } as const
const noAuthentication = oauth.None()

let vigia: Installation
let callback: Callback
let as: oauth.AuthorizationServer
let agent: oauth.Client
let tokens: oauth.TokenEndpointResponse

it.beforeAll(async ({ app, browser }) => {
  vigia = await startInstallation({ app, browser })
  callback = await listenForCallback()
})
afterAll(async () => {
  await callback?.stop()
  await vigia?.stop()
})

/** Sends one authorization request through the browser and returns the answer at the callback. */
async function ask(parameters: Readonly<Record<string, string>>) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(as.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: agent.client_id,
    redirect_uri: callback.redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource: vigia.mcp.href,
    ...parameters,
  }).toString()
  await vigia.person.authorize(url)
  return { answer: callback.last(), state, verifier }
}

async function exchange({ answer, state, verifier }: Awaited<ReturnType<typeof ask>>) {
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    agent,
    noAuthentication,
    oauth.validateAuthResponse(as, agent, answer, state),
    callback.redirectUri,
    verifier,
    { ...options, additionalParameters: { resource: vigia.mcp.href } },
  )
  return await oauth.processAuthorizationCodeResponse(as, agent, response)
}

const claimsOf = (token: string, audience: string) =>
  oauth.validateJwtAccessToken(
    as,
    new Request(vigia.mcp, { headers: { authorization: `Bearer ${token}` } }),
    audience,
    options,
  )

it('finds the authorization server through the 401 of /mcp', async () => {
  const metadata = await challenge(vigia.mcp)
  const response = await oauth.resourceDiscoveryRequest(vigia.mcp, options)
  expect(response.url).toBe(metadata.href)
  const resource = await oauth.processResourceDiscoveryResponse(vigia.mcp, response)
  expect(resource.resource).toBe(vigia.mcp.href)
  const issuer = new URL(resource.authorization_servers?.[0] ?? '')
  as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
  )
  expect(as.code_challenge_methods_supported).toEqual(['S256'])
  expect(as.authorization_response_iss_parameter_supported).toBe(true)
})

it('registers as a public client', async () => {
  const metadata = {
    client_name: 'Passo a passo',
    redirect_uris: [callback.redirectUri],
    token_endpoint_auth_method: 'none',
  }
  agent = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, metadata, options),
  )
  expect(agent.client_secret).toBeUndefined()
})

it('gets an authorization response with `iss` (RFC 9207)', async () => {
  const asked = await ask({ scope: 'mcp' })
  expect(asked.answer.searchParams.get('iss')).toBe(as.issuer)
  const mixedUp = new URL(asked.answer)
  mixedUp.searchParams.set('iss', 'https://outro.exemplo')
  expect(() => oauth.validateAuthResponse(as, agent, mixedUp, asked.state)).toThrow(/"iss"/)
  tokens = await exchange(asked)
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'mcp' })
})

it('gets a token that verifies with the published keys (RFC 9068)', async () => {
  expect(await claimsOf(tokens.access_token, vigia.mcp.href)).toMatchObject({
    iss: as.issuer,
    aud: vigia.mcp.href,
    client_id: agent.client_id,
    scope: 'mcp',
    papel: 'administrador',
    empresa_id: vigia.account.empresaId,
    sub: expect.stringMatching(/^\d+$/),
    jti: expect.any(String),
  })
  await expect(claimsOf(tokens.access_token, as.issuer)).rejects.toThrow(/"aud"/)
  const { tools, cameras } = await useToolsWith(tokens.access_token, vigia.mcp)
  expect(tools).toContain('criar_camera')
  expect(cameras).toContain(vigia.camera)
})

it('renews its token', async () => {
  const before = tokens
  const response = await oauth.refreshTokenGrantRequest(
    as,
    agent,
    noAuthentication,
    before.refresh_token ?? '',
    options,
  )
  tokens = await oauth.processRefreshTokenResponse(as, agent, response)
  expect(tokens.refresh_token).not.toBe(before.refresh_token)
  expect((await useToolsWith(tokens.access_token, vigia.mcp)).cameras).toContain(vigia.camera)
})

it('revokes its access (RFC 7009)', async () => {
  const response = await oauth.revocationRequest(as, agent, noAuthentication, tokens.refresh_token ?? '', options)
  await oauth.processRevocationResponse(response)
  await expect(useToolsWith(tokens.access_token, vigia.mcp)).rejects.toThrow()
  const refused = await oauth.refreshTokenGrantRequest(as, agent, noAuthentication, tokens.refresh_token ?? '', options)
  await expect(oauth.processRefreshTokenResponse(as, agent, refused)).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('lists no writing tools with the scope for reading', async () => {
  const reading = await exchange(await ask({ scope: 'mcp:leitura' }))
  expect(reading.scope).toBe('mcp:leitura')
  const { tools, cameras } = await useToolsWith(reading.access_token, vigia.mcp)
  expect(tools).toContain('listar_cameras')
  expect(tools).not.toContain('criar_camera')
  expect(cameras).toContain(vigia.camera)
})
