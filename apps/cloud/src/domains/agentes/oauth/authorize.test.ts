import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { form, send } from '../../../test/clients/client.ts'
import { askToken, codeFields, newClient, newPkce, REDIRECT, register } from '../../../test/clients/oauth-flow.ts'
import { ADMIN, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

let clientId: string
const app = fixture(startTestApp)
const account = fixture(() => app.account('Padaria'))

beforeAll(async () => {
  clientId = await newClient(app, [REDIRECT, 'https://agente.exemplo.br/volta?loja=1'])
})

const pkce = newPkce()
const request = (changes: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  client_id: clientId,
  redirect_uri: REDIRECT,
  response_type: 'code',
  code_challenge: pkce.challenge,
  code_challenge_method: 'S256',
  state: 'xyz',
  ...changes,
})
const show = (query: ConstructorParameters<typeof URLSearchParams>[0], headers: Record<string, string> = {}) =>
  send<string>(`${app.url}/oauth/authorize?${new URLSearchParams(query)}`, { headers })
const post = <T = string>(fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send<T>(`${app.url}/oauth/authorize`, { ...form(fields), headers })
const decide = (fields: Record<string, string>) => send<string>(`${app.url}/oauth/authorize/decisao`, form(fields))
const ticketOf = (page: string) => /name="bilhete" value="([\w-]{43})"/.exec(page)?.[1] ?? ''
const login = (username: string, password: string = SENHA) => ({ username, password })
const location = ({ headers }: { headers: Headers }) => new URL(headers.get('location') ?? 'about:blank')
const answered = (answer: { headers: Headers }) => Object.fromEntries(location(answer).searchParams)
const exchange = (code: string, verifier = pkce.verifier) => askToken(app, codeFields(clientId, code, { verifier }))

describe('the form of the interface', () => {
  it('returns a code for a token, the state and the issuer', async () => {
    const { client_id, redirect_uri, code_challenge, state } = request()
    const answer = await post({ ...ADMIN, client_id, redirect_uri, code_challenge, state } as Record<string, string>)
    expect([answer.status, location(answer).origin + location(answer).pathname]).toEqual([303, REDIRECT])
    const { code = '', ...rest } = answered(answer)
    expect(rest).toEqual({ state: 'xyz', iss: app.url })
    const { status, body } = await exchange(code)
    expect([status, body.scope]).toEqual([200, 'mcp'])
  })

  it('keeps the query of the redirect URI, and adds no state', async () => {
    const redirect_uri = 'https://agente.exemplo.br/volta?loja=1'
    const answer = await post({ ...request({ redirect_uri, state: '' }), ...ADMIN })
    expect(answer.headers.get('location')).toMatch(
      /^https:\/\/agente\.exemplo\.br\/volta\?loja=1&code=[\w-]{43}&iss=http/,
    )
    expect(Object.keys(answered(answer))).toEqual(['loja', 'code', 'iss'])
  })

  it('ignores unknown parameters, and accepts the scope and resource of newer clients', async () => {
    const more = { scope: 'openid mcp:leitura', resource: `${app.url}/mcp`, prompt: 'none', 'x-1': '<b>' }
    const answer = await post({ ...request(more), ...ADMIN })
    expect((await exchange(answered(answer).code ?? '')).body.scope).toBe('mcp:leitura')
  })

  it('names a missing field in the error formats of OAuth and of the interface', async () => {
    for (const field of ['username', 'password', 'client_id', 'redirect_uri', 'code_challenge']) {
      const { [field]: _, ...fields } = { ...request(), ...ADMIN } as Record<string, string>
      const { status, headers, body } = await post<{ error: string; detail: unknown }>(fields)
      expect([field, status, body.error, headers.get('location')]).toEqual([field, 422, 'invalid_request', null])
      expect(body.detail).toEqual([{ loc: ['body', field], msg: 'Campo obrigatório', type: 'missing' }])
    }
  })

  it('gives the same answer for a wrong password, an unknown login and an inactive login', async () => {
    const off = { username: 'desligado', senha: SENHA }
    const { id } = await account.admin.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', off)
    await account.admin.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { ativo: false })
    const refused = [login(ADMIN.username, 'x'), login('ninguem', 'x'), login('desligado')]
    const answers = await Promise.all(refused.map((fields) => post<{ error: string }>({ ...request(), ...fields })))
    const shown = answers.map(({ status, body }) => ({ status, body }))
    expect(shown[0]).toMatchObject({
      status: 401,
      body: { error: 'access_denied', detail: 'Usuário ou senha incorretos.' },
    })
    expect(shown.slice(1)).toEqual([shown[0], shown[0]])
    expect(answers.map(({ headers }) => headers.get('location'))).toEqual([null, null, null])
  })
})

describe('the page', () => {
  it('asks for the login, without scripts, caching and framing', async () => {
    const { status, headers, body } = await show(request())
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-frame-options')).toBe('DENY')
    // Sends the referrer only to this server; with `no-referrer` the page's own post would have a null origin.
    expect(headers.get('referrer-policy')).toBe('same-origin')
    const policy = headers.get('content-security-policy') ?? ''
    const nonce = /<style nonce="([^"]+)">/.exec(body)?.[1]
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "img-src 'self'",
      `style-src 'nonce-${nonce}'`,
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
    expect((await show(request())).body).not.toContain(nonce)
    expect(body).toContain('<html lang="pt-BR">')
    expect(body).toContain('autocomplete="username"')
    expect(body).toContain('autocomplete="current-password"')
    expect(body).not.toMatch(/<script|\son\w+=|javascript:/i)
  })

  it('asks for consent after the password, and names program, destination, scope and login', async () => {
    const fields = { ...request({ redirect_uri: 'https://agente.exemplo.br/volta?loja=1' }), etapa: 'consentimento' }
    const { status, headers, body } = await post({ ...fields, ...login(`administrador-${account.empresaId}`) })
    expect([status, headers.getSetCookie()]).toEqual([200, []])
    const text = body.replace(/<style.*<\/style>/s, '').replace(/<[^>]+>/g, '')
    for (const part of ['“Agente de teste”', 'Qualquer programa pode usar este nome', 'agente.exemplo.br'])
      expect(text).toContain(part)
    for (const part of [
      `administrador-${account.empresaId}`,
      'Padaria e as Empresas abaixo dela',
      'Ver e mudar',
      'Só ver',
    ])
      expect(text).toContain(part)
    expect(headers.get('content-security-policy')).toContain("form-action 'self' https:;")
  })

  it('lets an administrador reduce the requested scope, and no login extend it', async () => {
    const given = async (scope: string, username: string, acesso?: string) => {
      const page = await post({ ...request({ scope }), etapa: 'consentimento', ...login(username) })
      const fields = { bilhete: ticketOf(page.body), decisao: 'autorizar', ...(acesso && { acesso }) }
      const { code = '', ...rest } = answered(await decide(fields))
      expect(rest).toEqual({ state: 'xyz', iss: app.url })
      return (await exchange(code)).body.scope
    }
    const admin = `administrador-${account.empresaId}`
    expect(await given('mcp', admin, 'mcp')).toBe('mcp')
    expect(await given('mcp', admin, 'mcp:leitura')).toBe('mcp:leitura')
    expect(await given('mcp:leitura', admin, 'mcp')).toBe('mcp:leitura')
    expect(await given('mcp:leitura mcp', `usuario-${account.empresaId}`)).toBe('mcp')
    expect(await given('nenhum-conhecido', admin)).toBe('mcp')
  })

  it('shows a read-only login that the agent will only read', async () => {
    const page = await post({ ...request(), etapa: 'consentimento', ...login(`usuario-${account.empresaId}`) })
    expect(page.body).toContain('Se o papel deste login mudar, o do programa muda junto.')
    expect(page.body).not.toContain('Ver e mudar')
    expect((await post({ ...request(), etapa: 'consentimento', ...ADMIN })).body).toContain('toda a instalação')
  })

  it('sends a refusal to the program', async () => {
    const page = await post({ ...request(), etapa: 'consentimento', ...ADMIN })
    const answer = await decide({ bilhete: ticketOf(page.body), decisao: 'recusar' })
    expect(answer.status).toBe(303)
    expect(answered(answer)).toEqual({ error: 'access_denied', state: 'xyz', iss: app.url })
  })

  it('reports a wrong password, keeps the request, and stops browsers from saving the password', async () => {
    const fields = { ...request({ state: 'a"b' }), etapa: 'consentimento' }
    const wrong = await post({ ...fields, ...login('ana"><b>', 'errada') })
    expect([wrong.status, wrong.headers.get('cache-control')]).toEqual([401, 'no-store'])
    expect(wrong.body).toContain('role="alert"')
    expect(wrong.body).toContain('value="ana&quot;&gt;&lt;b&gt;"')
    expect(wrong.body).toContain('name="state" value="a&quot;b"')
    expect(wrong.body).not.toContain('errada')
    const unknown = await post({ ...fields, ...login('ninguem', 'errada') })
    const unnamed = (page: string) => page.replace(/nonce="[^"]+"/, '').replace(/(id="username".*?value=")[^"]*/, '$1')
    expect([unknown.status, unnamed(unknown.body)]).toEqual([401, unnamed(wrong.body)])
  })

  it('limits password attempts on the form and on the page', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.77' }
    const fields = { ...request(), ...login('vitima', 'x') }
    for (let i = 0; i < 5; i += 1) expect((await post(fields, headers)).status).toBe(401)
    const step = { ...fields, etapa: 'consentimento' }
    for (let i = 0; i < 5; i += 1) expect((await post(step, headers)).status).toBe(401)
    const page = await post(step, headers)
    expect([page.status, Number(page.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(page.body).toContain('Muitas tentativas seguidas')
    const program = await post<{ error: string }>(fields, headers)
    expect([program.status, program.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(program.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('asks a login of the dashboard only for consent, or for another login', async () => {
    const cookie = { cookie: `session=${account.admin.token}` }
    const page = await show(request(), cookie)
    expect(page.body).toContain(`<dd>administrador-${account.empresaId}</dd>`)
    const other = /<a href="(\/oauth\/authorize\?[^"]+)">Entrar com outro login/.exec(page.body)?.[1] ?? ''
    const signIn = await send<string>(`${app.url}${other.replaceAll('&amp;', '&')}`, { headers: cookie })
    expect(signIn.body).toContain('id="password"')
    expect(signIn.body).toContain(`name="code_challenge" value="${pkce.challenge}"`)
    expect(
      (await exchange(answered(await decide({ bilhete: ticketOf(page.body), decisao: 'autorizar' })).code ?? ''))
        .status,
    ).toBe(200)
    expect((await show(request(), { cookie: 'session=velha' })).body).toContain('id="password"')
  })

  it('escapes texts of the program and of the request', async () => {
    const name = '<script>alert(1)</script>"\'&'
    const { body: client } = await register<{ client_id: string }>(app, {
      redirect_uris: [REDIRECT],
      client_name: name,
    })
    const fields = {
      client_id: client.client_id,
      state: '"><img src=x onerror=1>',
      scope: '<i>',
      resource: `${app.url}/mcp`,
    }
    for (const { body } of [
      await show(request(fields)),
      await show(request(fields), { cookie: `session=${app.operator.token}` }),
    ]) {
      expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
      expect(body).not.toMatch(/<script|<img|<i>/)
    }
  })
})

describe('a wrong request', () => {
  const wrong: [error: string, change: Record<string, string>][] = [
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge: 'curto' }],
    ['invalid_request', { code_challenge: `${'a'.repeat(42)}=` }],
    ['invalid_request', { code_challenge: 'a'.repeat(44) }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: 's256' }],
    ['invalid_target', { resource: 'https://outro.exemplo.br/mcp' }],
    ['invalid_target', { resource: 'http://127.0.0.1/mcp' }],
    ['invalid_target', { resource: 'mcp' }],
  ]
  it.each(wrong)('is reported to the program: %s %o', async (error, change) => {
    const shown = { error, state: 'xyz', iss: app.url, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) }
    const answers = [await show(request(change))]
    if (change.code_challenge !== '') answers.push(await post({ ...request(change), ...ADMIN }))
    for (const answer of answers) {
      expect([answer.status, location(answer).origin + location(answer).pathname]).toEqual([303, REDIRECT])
      expect(answered(answer)).toEqual(shown)
    }
  })

  it('with a repeated parameter is rejected, except for the same resource twice', async () => {
    const twice = (name: string, value: string) => show([...Object.entries(request()), [name, value]])
    for (const [name, value] of [
      ['scope', 'mcp'],
      ['response_type', 'code'],
    ] as const) {
      const { [name]: _, ...others } = request()
      const answer = await show([...Object.entries(others), [name, value], [name, value]])
      expect([name, answered(answer).error]).toEqual([name, 'invalid_request'])
    }
    expect(answered(await twice('state', 'b'))).toMatchObject({ error: 'invalid_request', iss: app.url })
    expect(answered(await twice('state', 'b')).state).toBeUndefined()
    expect((await twice('client_id', clientId)).status).toBe(400)
    expect((await twice('redirect_uri', 'https://mal.exemplo.br/')).status).toBe(400)
    const resource = `${app.url}/mcp`
    const both = (other: string) => show([...Object.entries(request({ resource })), ['resource', other]])
    expect((await both(resource)).status).toBe(200)
    expect(answered(await both('https://outro.exemplo.br/')).error).toBe('invalid_target')
    const body = `${new URLSearchParams({ ...request(), ...ADMIN })}&state=b`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await send<{ error: string }>(`${app.url}/oauth/authorize`, { method: 'POST', body, headers })
    expect([posted.status, posted.body.error]).toEqual([400, 'invalid_request'])
  })

  it('never redirects to a website; the page shows the address of the program as a link', async () => {
    const answer = await show(request({ redirect_uri: 'https://agente.exemplo.br/volta?loja=1', code_challenge: 'x' }))
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.body).toContain('<strong>agente.exemplo.br</strong>')
    expect(answer.body).toMatch(/href="https:\/\/agente\.exemplo\.br\/volta\?loja=1&amp;error=invalid_request&amp;/)
  })

  it('of an unknown program is answered on a page, and in JSON to a program', async () => {
    const unknown = request({ client_id: '6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11' })
    const plain = (body: string) => body.replace(/nonce="[^"]+"/, '')
    const page = await show(unknown, { accept: 'text/html,*/*;q=0.8' })
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect(page.body).toContain('conecte outra vez')
    const json = await show(unknown, { accept: 'application/json' })
    expect([json.status, json.body]).toEqual([401, { error: 'invalid_client', error_description: expect.any(String) }])
    const posted: { status: number; headers: Headers; body: unknown } = await post({ ...unknown, ...ADMIN })
    expect(posted).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(posted.headers.get('location')).toBe(null)
    const browser = await post({ ...unknown, ...ADMIN }, { accept: 'text/html' })
    expect([browser.status, plain(browser.body)]).toEqual([400, plain(page.body)])
    // The answer is the same for an existing client.
    const other = await show(request({ redirect_uri: 'https://mal.exemplo.br/' }), { accept: 'text/html' })
    expect([other.status, plain(other.body)]).toEqual([400, plain(page.body)])
  })
})

it('audits logins, consents and refusals, without secrets', async () => {
  const fresh = await app.account('Registro')
  const name = `usuario-${fresh.empresaId}`
  const step = { ...request(), etapa: 'consentimento', ...login(name) }
  const yes = ticketOf((await post(step)).body)
  const { code = '' } = answered(await decide({ bilhete: yes, decisao: 'autorizar' }))
  const no = ticketOf((await post(step)).body)
  await decide({ bilhete: no, decisao: 'recusar' })
  const direct = answered(await post({ ...request(), ...login(name) })).code ?? ''
  const rows = await app.operator.expect<{ acao: string; objeto: string; canal: string; username: string }[]>(
    200,
    'GET',
    `/api/v1/auditoria?empresa_id=${fresh.empresaId}&limit=200`,
  )
  const mine = rows.filter(({ username, acao, canal }) => username === name && !(acao === 'entrar' && canal === 'api'))
  expect(mine.map(({ acao, objeto, canal }) => `${canal} ${acao} ${objeto}`).reverse()).toEqual([
    'painel entrar sessao',
    'painel autorizar autorizacao_oauth',
    'painel entrar sessao',
    'painel recusar autorizacao_oauth',
    'api autorizar autorizacao_oauth',
  ])
  for (const secret of [SENHA, yes, no, code, direct]) {
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(app.logText()).not.toContain(secret)
  }
})
