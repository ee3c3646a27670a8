import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { clientOf, form, send } from '../../../test/clients/client.ts'
import { ADMIN, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const account = fixture(() => app.account('Padaria'))

const login = (fields: Record<string, string>, path = '/api/v1/auth/login', headers: Record<string, string> = {}) =>
  send<{ access_token: string }>(`${app.url}${path}`, { ...form(fields), headers })

describe('login', () => {
  it('returns a token in JSON and in a host-only HttpOnly cookie', async () => {
    const answer = await login(ADMIN)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'bearer',
      expires_in: 3600,
    })
    const cookie = `session=${answer.body.access_token}; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax`
    expect(answer.headers.getSetCookie()).toEqual([cookie])
    const me = await send(`${app.url}/api/v1/me`, {
      headers: { cookie: `outro=1; session=${answer.body.access_token}` },
    })
    expect(me.status).toBe(200)
  })

  it('marks the cookie Secure when a trusted proxy reports HTTPS', async () => {
    const answer = await login(ADMIN, '/api/v1/auth/login', { 'x-forwarded-proto': 'https' })
    expect(answer.headers.getSetCookie()[0]).toContain('; Secure')
  })

  it('accepts the OAuth2 password form, without a cookie', async () => {
    const answer = await login({ ...ADMIN, grant_type: 'password', scope: '', client_id: 'x' }, '/api/v1/auth/token')
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
    expect((await login({ ...ADMIN, grant_type: 'outro' }, '/api/v1/auth/token')).status).toBe(422)
  })

  it.each(['/api/v1/auth/token', '/api/v1/auth/login', '/login'])(
    'rejects a large form at %s, before authentication',
    async (path) => {
      // The longest accepted fields, in characters that are encoded as nine bytes each.
      const longest = { username: '中'.repeat(200), password: '中'.repeat(1024) }
      expect((await login(longest, path)).status).toBeOneOf([401, 303])
      const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`campo${i}`, '']))
      expect((await login(fields, path)).status).toBe(413)
    },
  )

  it('ignores the case of usernames', async () => {
    expect((await login({ ...ADMIN, username: ' ADMIN ' })).status).toBe(200)
  })

  it('gives the same answer for a wrong password and an unknown login', async () => {
    const wrong = await login({ username: ADMIN.username, password: 'x' })
    const unknown = await login({ username: 'ninguem', password: 'x' })
    expect([wrong.status, wrong.body]).toEqual([401, { detail: 'Usuário ou senha incorretos.' }])
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer')
    expect(wrong.headers.getSetCookie()).toEqual([])
  })

  it('redirects a browser to the dashboard, or back with the reason', async () => {
    const good = await login(ADMIN, '/login')
    expect([good.status, good.headers.get('location')]).toEqual([303, '/'])
    expect(good.headers.getSetCookie()[0]).toMatch(/^session=[\w-]{43};/)
    const bad = await login({ ...ADMIN, password: 'x' }, '/login')
    expect([bad.status, bad.headers.get('location')]).toEqual([303, '/login?erro=credenciais'])
    expect(bad.headers.getSetCookie()).toEqual([])
  })

  it('delays only the guessed login', async () => {
    const guess = (username: string, address: string) =>
      login({ username, password: 'x' }, '/api/v1/auth/login', { 'x-forwarded-for': address })
    for (let i = 0; i < 10; i += 1) expect((await guess('vitima', '203.0.113.7')).status).toBe(401)
    const blocked = await guess('Vitima', '203.0.113.7')
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    const form = await login({ username: 'vitima', password: 'x' }, '/login', { 'x-forwarded-for': '203.0.113.7' })
    expect([form.status, form.headers.get('location')]).toEqual([303, '/login?erro=tentativas'])
    expect((await guess('vitima', '203.0.113.8')).status).toBe(401)
    expect((await guess('outra', '203.0.113.7')).status).toBe(401)
  })
})

describe('me', () => {
  it('describes the operator, an administrador and a usuario', async () => {
    expect(await app.operator.expect(200, 'GET', '/api/v1/me')).toEqual({
      id: expect.any(Number),
      username: 'admin',
      papel: 'administrador',
      empresa_id: null,
      empresa_nome: null,
      alcance: 'abaixo',
      empresas: null,
      ve_placas: true,
      segundo_fator: { ligado: false, exigido: false, codigos_restantes: 0 },
      sessao: { expira_em: expect.any(String), renova_ate: expect.any(String), quiosque: null },
      mensagens_com_link: false,
    })
    const { empresaId } = account
    const child = await account.admin.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome: 'Loja 2' })
    const tied = { empresa_id: empresaId, empresa_nome: 'Padaria' }
    const admin = await account.admin.expect(200, 'GET', '/api/v1/me')
    expect(admin).toMatchObject({ ...tied, papel: 'administrador', alcance: 'abaixo', empresas: [empresaId, child.id] })
    const usuario = await account.usuario.expect(200, 'GET', '/api/v1/me')
    expect(usuario).toMatchObject({
      ...tied,
      papel: 'usuario',
      alcance: 'propria',
      empresas: [empresaId],
      ve_placas: false,
    })
  })
})

describe('the end of a session', () => {
  it.each(['/api/v1/auth/logout', '/logout'])('happens at once with %s', async (path) => {
    const client = await app.signIn(ADMIN.username, ADMIN.password)
    const headers = { cookie: `session=${client.token}`, 'sec-fetch-site': 'same-origin' }
    const answer = await send(`${app.url}${path}`, { headers })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login'])
    expect(answer.headers.getSetCookie()).toEqual(['session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
    expect((await client.send('GET', '/api/v1/me')).status).toBe(401)
    expect((await app.operator.send('GET', '/api/v1/me')).status).toBe(200)
  })

  it.each(['/api/v1/auth/logout', '/logout'])('%s without a session redirects to the login page', async (path) => {
    for (const headers of [{}, { accept: 'text/html' }, { cookie: 'session=x' }, { authorization: 'Bearer x' }]) {
      const answer = await send(`${app.url}${path}`, { headers })
      expect([answer.status, answer.headers.get('location'), answer.body]).toEqual([303, '/login', null])
      // A request of another site has no cookie and must not end the session.
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  it('happens one hour after its start, also if it is used', async () => {
    const other = await startTestApp()
    try {
      const client = clientOf(other.url, other.operator.token)
      other.clock.advance(59 * 60_000)
      expect((await client.send('GET', '/api/v1/me')).status).toBe(200)
      other.clock.advance(61_000)
      expect((await client.send('GET', '/api/v1/me')).status).toBe(401)
    } finally {
      await other.stop()
    }
  })

  it('does not affect other sessions of the same login', async () => {
    const first = await app.signIn(`usuario-${account.empresaId}`, SENHA)
    expect((await account.usuario.send('GET', '/api/v1/me')).status).toBe(200)
    await first.send('GET', '/api/v1/auth/logout')
    expect((await account.usuario.send('GET', '/api/v1/me')).status).toBe(200)
  })
})
