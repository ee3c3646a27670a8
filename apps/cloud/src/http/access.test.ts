import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { form, send } from '../test/clients/client.ts'
import { ADMIN, startTestApp } from '../test/clouds/test-app.ts'
import { requireSameOrigin } from './access.ts'

const app = fixture(startTestApp)
const account = fixture(() => app.account('Portaria'))

/** URL of a route. The id is arbitrary, because the access check precedes every lookup. */
const urlOf = (path: string) => `${app.url}${path.replace(/\{\w+\}/g, '1')}`

describe('every registered route', () => {
  it('answers 401 without a login unless it is public', async () => {
    const closed = app.routes.filter(({ acesso }) => acesso !== 'publico')
    expect(closed.length).toBeGreaterThan(15)
    for (const { method, path, navegacao } of closed) {
      const answer = await send(urlOf(path), { method: method.toUpperCase() })
      if (navegacao) {
        expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login'])
        continue
      }
      expect([method, path, answer.status]).toEqual([method, path, 401])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(answer.body).toEqual({ detail: expect.any(String) })
    }
  })

  it('refuses an invented token, a malformed header and an unknown cookie', async () => {
    const credentials: Record<string, string>[] = [
      { authorization: `Bearer ${'A'.repeat(43)}` },
      { authorization: 'Bearer' },
      { authorization: 'Basic YWRtaW46YWRtaW4=' },
      { cookie: `session=${'B'.repeat(43)}` },
    ]
    for (const headers of credentials) expect((await send(`${app.url}/api/v1/me`, { headers })).status).toBe(401)
  })

  it('does not fall back to a valid cookie when the Authorization header is wrong', async () => {
    const headers = { authorization: 'Bearer x', cookie: `session=${account.admin.token}` }
    expect((await send(`${app.url}/api/v1/me`, { headers })).status).toBe(401)
  })

  it('answers 403 to a usuario if it writes', async () => {
    // Routes that change only the caller's own login have acesso `sessao`.
    const writes = app.routes.filter(({ method, acesso }) => method !== 'get' && acesso === 'escrita')
    expect(writes.length).toBeGreaterThanOrEqual(5)
    for (const { method, path } of writes) {
      const answer = await account.usuario.send(method.toUpperCase(), path.replace(/\{\w+\}/g, '1'), { qualquer: 1 })
      expect([method, path, answer.status]).toEqual([method, path, 403])
    }
  })

  it('is public only if it is in the list of public routes', () => {
    const allowed = [
      // Agents present a code, a password or their own token in place of a session.
      'get /.well-known/jwks.json',
      'get /.well-known/oauth-authorization-server',
      'get /.well-known/oauth-protected-resource',
      'get /.well-known/oauth-protected-resource/mcp',
      'get /mcp',
      'delete /mcp',
      'post /mcp',
      'get /oauth/authorize',
      'post /oauth/authorize',
      'post /oauth/authorize/codigo',
      'post /oauth/authorize/decisao',
      'post /oauth/register',
      'post /oauth/revoke',
      'post /oauth/token',
      'get /api/v1/docs',
      'get /api/v1/docs/{arquivo}',
      'get /api/v1/openapi.json',
      'get /api/v1/imagens/{assinatura}',
      'get /api/v1/cameras/{camera_id}/hls/{assinatura}/{arquivo}',
      // Replicas present a token that is sealed with the key of the installation.
      'get /api/v1/replicas/transmissoes/{camera_id}/{fluxo}',
      'post /api/v1/convites/ver',
      'post /api/v1/convites/aceitar',
      'get /healthz',
      'get /readyz',
      'get /pki/crl.pem',
      'post /api/v1/auth/login',
      'post /api/v1/auth/token',
      'post /api/v1/edges/ativar',
      'post /login',
      'post /login/codigo',
    ]
    const open = app.routes.filter(({ acesso }) => acesso === 'publico').map(({ method, path }) => `${method} ${path}`)
    expect(open.filter((name) => !allowed.includes(name))).toEqual([])
  })
})

describe('a request that the cookie authenticates', () => {
  const create = (headers: Record<string, string>) =>
    send(`${app.url}/api/v1/empresas`, {
      method: 'POST',
      headers: { cookie: `session=${account.admin.token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ nome: 'Filial' }),
    })

  it('may write when it comes from a page of the same origin', async () => {
    expect((await create({ 'sec-fetch-site': 'same-origin' })).status).toBe(201)
    expect((await create({ origin: app.url })).status).toBe(201)
    const header = (host: string, origin: string) => (name: string) =>
      new Map([
        ['host', host],
        ['origin', origin],
      ]).get(name)
    for (const host of ['painel.exemplo', 'Painel.exemplo:443', 'painel.exemplo:'])
      requireSameOrigin(header(host, 'https://painel.exemplo'), true)
    for (const host of ['painel.exemplo:80', 'painel.exemplo.mal', ''])
      expect(() => requireSameOrigin(header(host, 'https://painel.exemplo'), true)).toThrow('outro site')
  })

  it('may not write from another site, from a sandbox or without proof of its origin', async () => {
    const refused: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', origin: app.url },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://mal.example' },
      { origin: 'null' },
      { origin: `${app.url}.mal.example` },
      {},
    ]
    for (const headers of refused) expect([headers, (await create(headers)).status]).toEqual([headers, 403])
  })

  it('may read without proof of its origin, and a Bearer header needs no proof', async () => {
    const cookie = `session=${account.admin.token}`
    expect((await send(`${app.url}/api/v1/me`, { headers: { cookie } })).status).toBe(200)
    expect((await account.admin.send('POST', '/api/v1/empresas', { nome: 'Outra' })).status).toBe(201)
  })

  it('may not log a usuario in or out from another site', async () => {
    const login = { ...form(ADMIN), headers: { origin: 'https://mal.example' } }
    expect((await send(`${app.url}/login`, login)).status).toBe(403)
    expect((await send(`${app.url}/api/v1/auth/login`, login)).status).toBe(403)
    const { token } = await app.signIn(ADMIN.username, ADMIN.password)
    const headers = { cookie: `session=${token}`, 'sec-fetch-site': 'cross-site' }
    expect((await send(`${app.url}/logout`, { headers })).status).toBe(403)
  })
})

it('finds the valid one among several session cookies, up to a limit', async () => {
  const me = (cookies: readonly string[]) =>
    send<{ username: string }>(`${app.url}/api/v1/me`, {
      headers: { cookie: cookies.map((value) => `session=${value}`).join('; ') },
    })
  const good = account.admin.token
  const bad = 'C'.repeat(43)
  for (const cookies of [
    [bad, good],
    ['', good],
    ['"x"', bad, good],
    [good, bad],
  ]) {
    const answer = await me(cookies)
    expect([cookies, answer.status]).toEqual([cookies, 200])
    expect(answer.body.username).toBe(`administrador-${account.empresaId}`)
  }
  expect((await me([...Array.from({ length: 20 }, () => bad), good])).status).toBe(401)
  expect((await me([bad, bad])).status).toBe(401)
  const { token } = await app.signIn(ADMIN.username, ADMIN.password)
  const headers = { cookie: `session=${bad}; session=${token}`, 'sec-fetch-site': 'same-origin' }
  expect((await send(`${app.url}/logout`, { headers })).status).toBe(303)
  expect((await me([token])).status).toBe(401)
})

it('accepts a token in the query only on routes with `tokenNaQuery`', async () => {
  expect((await send(`${app.url}/api/v1/me?token=${account.admin.token}`)).status).toBe(401)
})
