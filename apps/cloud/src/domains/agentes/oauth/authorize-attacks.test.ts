import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthorizePage, authorizePage, codeOf, requestOf, ticketOf } from '../../../test/clients/authorize-page.ts'
import { newClient } from '../../../test/clients/oauth-flow.ts'
import { type Account, ADMIN, SENHA, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'

type Fields = Readonly<Record<string, string>>

let app: TestApp
let pages: AuthorizePage
let account: Account
let clientId: string
beforeAll(async () => {
  app = await startTestApp()
  pages = authorizePage(app)
  account = await app.account('Padaria')
  clientId = await newClient(app)
})
afterAll(() => app.stop())

describe('a post with headers of another origin', () => {
  const elsewhere: readonly Fields[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://mal.exemplo.br' },
    { origin: 'null' },
    // Another port of the same host is another origin.
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:1' },
  ]

  it('is rejected without a login, on a page or in JSON', async () => {
    for (const headers of elsewhere) {
      const page = await pages.post({ ...requestOf(clientId), ...ADMIN, etapa: 'consentimento' }, headers)
      expect([headers, page.status, codeOf(page)]).toEqual([headers, 403, null])
      expect(page.body).toContain('vinda de outro site')
      expect(page.body).not.toContain('bilhete')
      const program = await pages.post({ ...requestOf(clientId), ...ADMIN }, headers)
      expect([program.status, codeOf(program)]).toEqual([403, null])
      expect(program.body).toMatchObject({ error: 'access_denied' })
    }
  })

  it('is rejected without a decision and consumes no ticket', async () => {
    const bilhete = await pages.ticket(clientId)
    for (const headers of elsewhere) expect((await pages.decide({ bilhete }, headers)).status).toBe(403)
    expect((await pages.decide({ bilhete }, { cookie: `session=${app.operator.token}`, ...elsewhere[0] })).status).toBe(
      403,
    )
    expect(codeOf(await pages.decide({ bilhete }, { 'sec-fetch-site': 'same-origin', origin: app.url }))).not.toBeNull()
  })
})

describe('the host', () => {
  const at = (host: string, path: string, fields: Fields | null, cookie = '') =>
    new Promise<{ status: number; body: string; location: string | undefined }>((resolve, reject) => {
      const headers = { host, cookie, 'content-type': 'application/x-www-form-urlencoded' }
      const { port } = new URL(app.url)
      const method = fields ? 'POST' : 'GET'
      const sent = rawRequest({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
        let body = ''
        answer.on('data', (chunk) => {
          body += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body, location: answer.headers.location }))
      })
      sent.on('error', reject)
      sent.end(fields ? String(new URLSearchParams(fields)) : undefined)
    })

  it('gets neither a password check nor a code when it is unknown', async () => {
    for (const host of ['mal.exemplo.br', '127.0.0.1.mal.exemplo.br']) {
      const answer = await at(host, '/oauth/authorize', { ...requestOf(clientId), ...ADMIN })
      expect([host, answer.status, answer.location]).toEqual([host, 403, undefined])
      expect(answer.body).toContain('VIGIA_URL_PUBLICA')
      const page = await at(host, `/oauth/authorize?${new URLSearchParams(requestOf(clientId))}`, null)
      expect([page.status, page.body]).toEqual([403, expect.stringContaining('VIGIA_URL_PUBLICA')])
      expect(page.body).not.toContain('id="password"')
    }
  })

  it('rejects a ticket of another address of the installation', async () => {
    const answer = await at('localhost', '/oauth/authorize/decisao', {
      bilhete: await pages.ticket(clientId),
      decisao: 'autorizar',
    })
    expect([answer.status, answer.location]).toEqual([400, undefined])
  })

  it('of an Empresa admits only the logins of its subtree', async () => {
    const main = app
    app = await startTestApp({ VIGIA_DOMINIO_NEUTRO: '127.0.0.1' })
    try {
      const own = await app.account('Padaria')
      const foreign = await app.account('Alheia')
      const host = 'cameras.padaria.exemplo.br'
      await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${own.empresaId}`, { host })
      const client = await newClient(app)
      const enter = (username: string, password: string, etapa = '') =>
        at(host, '/oauth/authorize', { ...requestOf(client), username, password, etapa })
      const good = await enter(`usuario-${own.empresaId}`, SENHA)
      expect([good.status, new URL(good.location ?? '').searchParams.get('iss')]).toEqual([303, `http://${host}`])
      const wrong = await enter(`usuario-${own.empresaId}`, 'errada')
      for (const [username, password] of [
        [`administrador-${foreign.empresaId}`, SENHA],
        [ADMIN.username, ADMIN.password],
      ] as const) {
        const refused = await enter(username, password)
        expect([username, refused.status, refused.body]).toEqual([username, 401, wrong.body])
        expect((await enter(username, password, 'consentimento')).status).toBe(401)
      }
      // A session is valid only on the host that issued it.
      const path = `/oauth/authorize?${new URLSearchParams(requestOf(client))}`
      const cookie = `session=${own.admin.token}`
      expect((await at(new URL(app.url).host, path, null, cookie)).body).toContain('name="bilhete"')
      expect((await at(host, path, null, cookie)).body).not.toContain('name="bilhete"')
    } finally {
      await app.stop()
      app = main
      pages = authorizePage(app)
    }
  })
})

it('limits the consents of one login, so that it cannot fill the audit log', async () => {
  const { empresaId } = await app.account('Rápida')
  const login = { username: `usuario-${empresaId}`, password: SENHA }
  const cookie = `session=${(await app.signIn(login.username)).token}`
  const decided: number[] = []
  for (let i = 0; i < 700; i += 1) {
    const page = await pages.show(requestOf(clientId), { cookie })
    decided.push(page.status)
    if (page.status !== 200) break
    if (i % 100 === 0)
      expect((await pages.decide({ bilhete: ticketOf(page.body), decisao: 'recusar' })).status).toBe(303)
  }
  expect([decided.length, decided.at(-1)]).toEqual([601, 429])
  const put = await pages.show(requestOf(clientId), { cookie })
  expect([put.status, Number(put.headers.get('retry-after')) > 0, put.body.includes('vezes demais')]).toEqual([
    429,
    true,
    true,
  ])
  // The limit also applies to the other forms.
  const program = await pages.post({ ...requestOf(clientId), ...login })
  expect([program.status, program.body]).toMatchObject([429, { error: 'temporarily_unavailable' }])
  expect((await pages.post({ ...requestOf(clientId), ...login, etapa: 'consentimento' })).status).toBe(429)
  const other = { username: `administrador-${empresaId}`, password: SENHA }
  expect(codeOf(await pages.post({ ...requestOf(clientId), ...other }))).not.toBeNull()
})

it('the CPU time of a refusal does not depend on the state of the login', async () => {
  const off = { username: 'desligado', senha: SENHA }
  const { id } = await account.admin.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', off)
  await account.admin.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { ativo: false })
  const best = new Map<string, number>()
  // CPU time of this process only, independent of other load on the machine.
  for (let i = 0; i < 6; i += 1)
    for (const [username, password] of [
      [ADMIN.username, 'x'],
      ['ninguem', 'x'],
      ['desligado', SENHA],
    ] as const) {
      const started = process.cpuUsage()
      const { status } = await pages.post(
        { ...requestOf(clientId), username, password },
        { 'x-forwarded-for': '203.0.113.50' },
      )
      expect(status).toBe(401)
      const { user, system } = process.cpuUsage(started)
      best.set(username, Math.min(best.get(username) ?? Number.POSITIVE_INFINITY, user + system))
    }
  // A refusal without the slow hash takes a small part of this time.
  const known = best.get(ADMIN.username) ?? 0
  for (const name of ['ninguem', 'desligado']) expect((best.get(name) ?? 0) / known).toBeGreaterThan(0.6)
})
