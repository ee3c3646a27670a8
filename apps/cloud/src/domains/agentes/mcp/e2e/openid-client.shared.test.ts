import * as openid from 'openid-client'
import { afterAll, expect } from 'vitest'
import { it } from '../../../../test/clouds/shared-cloud.ts'
import { challenge, useToolsWith } from './ask-mcp.ts'
import { type Callback, listenForCallback } from './callback.ts'
import { type Installation, startInstallation } from './installation.ts'

/** Used part of RFC 9728 section 2, which openid-client does not implement. */
interface ResourceMetadata {
  resource: string
  authorization_servers: string[]
  scopes_supported: string[]
}

let vigia: Installation
let callback: Callback

it.beforeAll(async ({ app, browser }) => {
  vigia = await startInstallation({ app, browser })
  callback = await listenForCallback()
})
afterAll(async () => {
  await callback?.stop()
  await vigia?.stop()
})

it('discovers, registers, gets consent, calls tools, renews its token and revokes it', async () => {
  const metadata = (await (await fetch(await challenge(vigia.mcp))).json()) as ResourceMetadata
  const config = await openid.dynamicClientRegistration(
    new URL(metadata.authorization_servers[0] ?? ''),
    { client_name: 'Central de rondas', redirect_uris: [callback.redirectUri], token_endpoint_auth_method: 'none' },
    openid.None(),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback.redirectUri,
    scope: metadata.scopes_supported.join(' '),
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    resource: metadata.resource,
  })
  const { consent } = await vigia.person.authorize(url)
  expect(consent).toContain('Central de rondas')

  const resource = { resource: metadata.resource }
  const tokens = await openid.authorizationCodeGrant(
    config,
    callback.last(),
    { pkceCodeVerifier, expectedState },
    resource,
  )
  expect(tokens.scope).toBe('mcp')
  expect((await useToolsWith(tokens.access_token, vigia.mcp)).cameras).toContain(vigia.camera)

  const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', resource)
  expect((await useToolsWith(renewed.access_token, vigia.mcp)).cameras).toContain(vigia.camera)

  await openid.tokenRevocation(config, renewed.refresh_token ?? '')
  await expect(useToolsWith(renewed.access_token, vigia.mcp)).rejects.toThrow()
})
