import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, ADMIN, SENHA, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'

const PROPRIO = 'cameras.padaria.exemplo.br'

let app: TestApp
let own: Account
let below: Account
let foreign: Account
beforeAll(async () => {
  // The test app signs in at 127.0.0.1.
  app = await startTestApp({ VIGIA_DOMINIO_NEUTRO: '127.0.0.1' })
  own = await app.account('Padaria')
  below = await app.account('Filial', own.admin)
  foreign = await app.account('Alheia')
  await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${own.empresaId}`, { host: PROPRIO })
})
afterAll(() => app.stop())

/** A request with `host` as its Host header. */
function at(host: string, method: string, path: string, headers: Record<string, string> = {}, body = '') {
  return new Promise<{ status: number; body: string; location: string | undefined }>((resolve, reject) => {
    const { port } = new URL(app.url)
    const sent = request({ port, host: '127.0.0.1', method, path, headers: { ...headers, host } }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text, location: answer.headers.location }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
const enter = (host: string, username: string, password: string = SENHA, path = '/api/v1/auth/token') => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return at(host, 'POST', path, headers, String(new URLSearchParams({ username, password })))
}
const tokenOf = async (host: string, username: string, password?: string): Promise<string> => {
  const { status, body } = await enter(host, username, password)
  expect([host, username, status]).toEqual([host, username, 200])
  return JSON.parse(body).access_token
}
const me = (host: string, token: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
  at(host, 'GET', '/api/v1/me', headers).then(({ status }) => status)

describe('with a neutral domain', () => {
  it('accepts every login on it', async () => {
    for (const username of [`usuario-${own.empresaId}`, `administrador-${foreign.empresaId}`])
      expect(await me('127.0.0.1', await tokenOf('127.0.0.1:8080', username))).toBe(200)
  })

  it('accepts an API key on it and on the host of its Empresa', async () => {
    const status = async (host: string, { empresaId, admin }: Account) => {
      const body = { nome: `Chave ${host}`, escopo: 'leitura', empresa_id: empresaId }
      const { chave } = await admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', body)
      return (await at(host, 'GET', '/api/v1/cameras', { authorization: `Bearer ${chave}` })).status
    }
    expect(await status('127.0.0.1', foreign)).toBe(200)
    for (const account of [own, below]) expect(await status(PROPRIO, account)).toBe(200)
    expect(await status(PROPRIO, foreign)).toBe(401)
    expect(await status('outro.exemplo.br', own)).toBe(401)
  })

  it('accepts a session only on the host that issued it, by header and by cookie', async () => {
    const token = await tokenOf(PROPRIO, `usuario-${own.empresaId}`)
    expect(await me(`${PROPRIO.toUpperCase()}.:443`, token)).toBe(200)
    for (const host of ['127.0.0.1', 'outro.exemplo.br', `x.${PROPRIO}`, ''])
      expect([host, await me(host, token)]).toEqual([host, 401])
    const cookie = { cookie: `session=${token}` }
    expect(await me(PROPRIO, token, cookie)).toBe(200)
    expect(await me('127.0.0.1', token, cookie)).toBe(401)
    expect(await me('127.0.0.1', token, { ...cookie, 'x-forwarded-host': PROPRIO })).toBe(401)
  })

  it('accepts only logins of the subtree on the host of an Empresa', async () => {
    for (const username of [`administrador-${own.empresaId}`, `usuario-${below.empresaId}`])
      await tokenOf(PROPRIO, username)
    const wrong = await enter(PROPRIO, `usuario-${own.empresaId}`, 'errada')
    for (const [username, password] of [
      [`administrador-${foreign.empresaId}`, SENHA],
      [ADMIN.username, ADMIN.password],
      ['ninguem', SENHA],
    ] as const) {
      const refused = await enter(PROPRIO, username, password)
      expect([username, refused.status, refused.body]).toEqual([username, 401, wrong.body])
    }
  })

  it('refuses all logins on other hosts, and names the neutral domain', async () => {
    for (const host of ['outro.exemplo.br', `x.${PROPRIO}`]) {
      const refused = await enter(host, ADMIN.username, ADMIN.password)
      expect([host, refused.status]).toEqual([host, 403])
      expect(JSON.parse(refused.body).detail).toContain('127.0.0.1')
      expect((await enter(host, ADMIN.username, 'x')).body).toBe(refused.body)
    }
    const page = await enter('outro.exemplo.br', ADMIN.username, ADMIN.password, '/login')
    expect([page.status, page.location]).toEqual([303, '/login?erro=endereco'])
  })

  it('shows an invitation on the neutral domain and on the hosts of its Empresa only', async () => {
    const { link } = await foreign.admin.expect<{ link: string }>(201, 'POST', '/api/v1/convites', { papel: 'usuario' })
    const body = JSON.stringify({ token: new URL(link).hash.slice(1) })
    const ver = async (host: string) =>
      (await at(host, 'POST', '/api/v1/convites/ver', { 'content-type': 'application/json' }, body)).status
    expect([await ver('127.0.0.1'), await ver(PROPRIO), await ver('outro.exemplo.br')]).toEqual([200, 404, 403])
  })

  it('ends the sessions and the quiosques of a host that is removed from its Empresa', async () => {
    const { empresaId } = below
    const patch = (host: string | null) => app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { host })
    await patch('filial.exemplo.br')
    const token = await tokenOf('filial.exemplo.br', `usuario-${empresaId}`)
    expect(await me('filial.exemplo.br', token)).toBe(200)
    const session = await tokenOf('filial.exemplo.br', `administrador-${empresaId}`)
    const admin = { cookie: `session=${session}`, 'sec-fetch-site': 'same-origin' }
    const screen = JSON.stringify({ nome: 'Portaria', papel: 'usuario' })
    const headers = { ...admin, 'content-type': 'application/json' }
    expect((await at('filial.exemplo.br', 'POST', '/api/v1/quiosques', headers, screen)).status).toBe(201)
    const screens = () => below.admin.expect<unknown[]>(200, 'GET', '/api/v1/quiosques')
    expect(await screens()).toHaveLength(1)
    await patch(null)
    expect(await me('filial.exemplo.br', token)).toBe(401)
    expect(await screens()).toEqual([])
    expect((await enter('filial.exemplo.br', `usuario-${empresaId}`)).status).toBe(403)
  })
})

it('accepts every login on every host without a neutral domain', async () => {
  const neutral = app
  app = await startTestApp()
  try {
    const token = await tokenOf('um.exemplo.br', ADMIN.username, ADMIN.password)
    expect(await me('outro.exemplo.br', token)).toBe(200)
  } finally {
    await app.stop()
    app = neutral
  }
})
