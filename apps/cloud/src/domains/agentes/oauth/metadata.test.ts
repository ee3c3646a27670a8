import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { send } from '../../../test/clients/client.ts'
import { getAt } from '../../../test/clients/oauth-flow.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'
const PROPRIO = 'cameras.padaria.exemplo.br'

interface Document {
  readonly issuer?: string
  readonly resource?: string
  readonly error?: string
  readonly error_description?: string
}

const app = fixture(() => startTestApp({ VIGIA_DOMINIO_NEUTRO: '127.0.0.1' }))
const behind = fixture(() => startTestApp({ VIGIA_URL_PUBLICA: 'https://vigia.exemplo.br/' }))

describe('the documents', () => {
  it('contain all endpoints that a client needs (RFC 8414)', async () => {
    const { status, headers, body } = await send<Document>(`${behind.url}${SERVER}`)
    const base = 'https://vigia.exemplo.br'
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([200, 'application/json', 'Host'])
    expect(body).toEqual({
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      registration_endpoint: `${base}/oauth/register`,
      revocation_endpoint: `${base}/oauth/revoke`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      scopes_supported: ['mcp', 'mcp:leitura'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${base}/api/v1/docs`,
      ui_locales_supported: ['pt-BR'],
    })
  })

  it('announce the MCP server at both addresses (RFC 9728)', async () => {
    const [root, below] = [await send(`${behind.url}${RESOURCE}`), await send(`${behind.url}${RESOURCE}/mcp`)]
    expect([root.status, below.status]).toEqual([200, 200])
    expect(root.body).toEqual(below.body)
    expect(below.body).toMatchObject({
      resource: 'https://vigia.exemplo.br/mcp',
      authorization_servers: ['https://vigia.exemplo.br'],
      scopes_supported: ['mcp', 'mcp:leitura'],
      bearer_methods_supported: ['header'],
    })
  })

  it('link to an existing page of documentation', async () => {
    const server = await send<{ service_documentation: string }>(`${app.url}${SERVER}`)
    const resource = await send<{ resource_documentation: string }>(`${app.url}${RESOURCE}`)
    expect(resource.body.resource_documentation).toBe(server.body.service_documentation)
    const { status, headers } = await fetch(server.body.service_documentation)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  it('contain only public keys, cacheable for an hour', async () => {
    const { headers, body } = await send<{ keys: object[] }>(`${app.url}/.well-known/jwks.json`)
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(body.keys).toHaveLength(1)
    expect(Object.keys(body.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })
})

it('answers that depend on the host of the request are not stored by shared caches', async () => {
  for (const path of [SERVER, RESOURCE, `${RESOURCE}/mcp`]) {
    const { headers } = await send(`${app.url}${path}`)
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, max-age=300', 'Host'])
  }
})

describe('the base', () => {
  const issuerAt = async (host: string, headers: Record<string, string> = {}, of = app) => {
    const { status, body } = await getAt<Document | null>(of, host, SERVER, headers)
    return status === 200 ? body?.issuer : `${status} ${body?.error}`
  }

  it('is the host of the request for localhost, an IP address or a known domain', async () => {
    const { empresaId } = await app.account('Padaria')
    await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { host: PROPRIO })
    for (const [host, issuer] of [
      ['localhost:8080', 'http://localhost:8080'],
      ['LocalHost', 'http://localhost'],
      ['vigia.localhost', 'http://vigia.localhost'],
      ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
      ['[::1]:8080', 'http://[::1]:8080'],
      ['203.0.113.5', 'http://203.0.113.5'],
      [`${PROPRIO.toUpperCase()}.`, `http://${PROPRIO}`],
    ])
      expect([host, await issuerAt(host ?? '')]).toEqual([host, issuer])
    const https = { 'x-forwarded-proto': 'https' }
    expect(await issuerAt(`${PROPRIO}:443`, https)).toBe(`https://${PROPRIO}`)
  })

  it('is never a foreign name that resolves to this server or a forwarded header', async () => {
    for (const host of ['exemplo.org', 'localhost.exemplo.org', `x.${PROPRIO}`, '127.0.0.1.exemplo.org'])
      expect([host, await issuerAt(host)]).toEqual([host, '403 access_denied'])
    // Invalid hosts, which this check or the listener rejects.
    for (const host of [
      'a@localhost',
      'localhost:8080@exemplo.org',
      'localhost/x',
      'localhost:99999',
      'localhost localhost',
    ])
      expect([host, await issuerAt(host)]).toEqual([host, expect.stringMatching(/^40[03] /)])
    const claimed = { 'x-forwarded-host': 'exemplo.org', forwarded: 'host=exemplo.org' }
    expect(await issuerAt('localhost', claimed)).toBe('http://localhost')
  })

  it('is rejected with a sentence about the remedy', async () => {
    const { body } = await getAt<Document & { detail?: string }>(app, 'exemplo.org', RESOURCE)
    expect([body.error_description, body.detail]).toEqual([
      expect.stringContaining('VIGIA_URL_PUBLICA'),
      expect.stringContaining('Este endereço não é conhecido'),
    ])
  })

  it('is the configured one for every Host header', async () => {
    for (const host of ['localhost', 'exemplo.org', 'vigia.exemplo.br'])
      expect(await issuerAt(host, {}, behind)).toBe('https://vigia.exemplo.br')
  })
})
