import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { SegundoFator } from '@vigia/contracts/segundo-fator'
import type { Me } from '@vigia/contracts/sessoes'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { findUsuarioByChave } from '../../../db/usuarios.ts'
import { type Client, clientOf, form, send } from '../../../test/clients/client.ts'
import { newClient, newPkce, REDIRECT } from '../../../test/clients/oauth-flow.ts'
import { turnOn } from '../../../test/clients/second-factor.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'
import { logIn } from '../sessoes/log-in.ts'
import { fromBase32, stepAt, totpCode } from './totp.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

const PATH = '/api/v1/me/segundo-fator'
const me = (client: Client) => client.expect<Me>(200, 'GET', '/api/v1/me')
const change = (client: Client, body: object) => client.send<SegundoFator & { detail: unknown }>('POST', PATH, body)

/** Login form of a new login with a second factor. */
async function withFactor(nome: string) {
  const account = await app.account(nome)
  const username = `usuario-${account.empresaId}`
  return { account, username, phone: await turnOn(app, account.usuario) }
}

interface TokenAnswer {
  readonly access_token: string
  readonly detail: string
  readonly segundo_fator?: true
}
const token = (username: string, codigo?: string, password = SENHA, headers: Record<string, string> = {}) =>
  send<TokenAnswer>(`${app.url}/api/v1/auth/token`, {
    ...form({ username, password, ...(codigo !== undefined && { codigo }) }),
    headers,
  })

describe('enabling the second factor', () => {
  it('requires the password and a code of the app, and returns ten recovery codes once', async () => {
    const { usuario, empresaId } = await app.account('Liga')
    expect((await change(usuario, { acao: 'iniciar', senha: 'errada' })).body.detail).toMatchObject([
      { loc: ['body', 'senha'], type: 'wrong_password' },
    ])
    const begun = await change(usuario, { acao: 'iniciar', senha: SENHA })
    expect(begun.headers.get('cache-control')).toBe('no-store')
    expect(begun.body).toEqual({
      ligado: false,
      segredo: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth: `otpauth://totp/Vigia%3Ausuario-${empresaId}?secret=${begun.body.segredo}&issuer=Vigia`,
      codigos_recuperacao: null,
    })
    expect((await me(usuario)).segundo_fator).toEqual({ ligado: false, exigido: false, codigos_restantes: 0 })

    const secret = fromBase32(begun.body.segredo ?? '')
    const right = totpCode(secret, stepAt(app.clock.now()))
    const wrong = right === '000000' ? '000001' : '000000'
    expect((await change(usuario, { acao: 'confirmar', codigo: wrong })).body.detail).toMatchObject([
      { loc: ['body', 'codigo'], type: 'wrong_code' },
    ])
    const confirmed = await change(usuario, { acao: 'confirmar', codigo: ` ${right.slice(0, 3)} ${right.slice(3)} ` })
    const codes = confirmed.body.codigos_recuperacao ?? []
    expect(confirmed.body).toMatchObject({ ligado: true, segredo: null, otpauth: null })
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
    expect((await me(usuario)).segundo_fator).toEqual({ ligado: true, exigido: false, codigos_restantes: 10 })
    for (const again of [
      { acao: 'iniciar', senha: SENHA },
      { acao: 'confirmar', codigo: right },
    ])
      expect((await change(usuario, again)).status).toBe(409)

    const stored = JSON.stringify([
      await backstage.db.selectFrom('usuarios').selectAll().execute(),
      await backstage.db.selectFrom('codigos_recuperacao').selectAll().execute(),
    ])
    for (const text of [stored, app.logText()])
      for (const part of [begun.body.segredo ?? '', codes[0] ?? '']) expect(text).not.toContain(part)
  })

  it('ends the other sessions of the login, and keeps the current one', async () => {
    const { usuario, admin, empresaId } = await app.account('Outras')
    const other = await app.signIn(`usuario-${empresaId}`)
    await turnOn(app, usuario)
    const statuses = [usuario, other, admin].map(async (client) => (await client.send('GET', '/api/v1/me')).status)
    expect(await Promise.all(statuses)).toEqual([200, 401, 200])
  })

  it('expires after 15 minutes, and a new start replaces the previous one', async () => {
    const { usuario, empresaId } = await app.account('Demora')
    const begin = async () => fromBase32((await change(usuario, { acao: 'iniciar', senha: SENHA })).body.segredo ?? '')
    const confirm = async (secret: Buffer, by = usuario) =>
      (await change(by, { acao: 'confirmar', codigo: totpCode(secret, stepAt(app.clock.now())) })).status
    const [first, second] = [await begin(), await begin()]
    expect(await confirm(first)).toBe(422)
    app.clock.advance(15 * 60_000 + 1)
    expect(await confirm(second)).toBe(409)
    expect(await confirm(await begin())).toBe(200)
    expect((await token(`usuario-${empresaId}`)).body.segundo_fator).toBe(true)
  })

  it('prevents a session from a sign-in that started before it', async () => {
    const { usuario, empresaId } = await app.account('Corrida')
    const seen = await findUsuarioByChave(backstage.db, `usuario-${empresaId}`)
    if (!seen) throw new Error('no login')
    await turnOn(app, usuario)
    const deps = { db: backstage.db, clock: app.clock, sessaoMaxMs: 3_600_000 }
    const from = { address: '127.0.0.1', host: '', agente: undefined, canal: 'api', pedido: 'x' } as const
    await expect(logIn(deps, { usuario: seen, fator: null }, from)).rejects.toMatchObject({ code: 'nao_autenticado' })
  })
})

describe('signing in with a second factor', () => {
  it('asks for the code only after the right password', async () => {
    const { username, phone } = await withFactor('Entra')
    const asked = await token(username)
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(asked.body).toEqual({ detail: expect.stringContaining('aplicativo autenticador'), segundo_fator: true })
    expect((await token(username, phone.next(), 'errada')).body).toEqual({ detail: 'Usuário ou senha incorretos.' })
    const { status, body } = await token(username, phone.next())
    expect([status, (await me(clientOf(app.url, body.access_token))).username]).toEqual([200, username])
    const login = await send(`${app.url}/api/v1/auth/login`, form({ username, password: SENHA, codigo: phone.next() }))
    expect([login.status, login.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('session=')])
  })

  it('accepts a code once, also in concurrent requests, and no older code', async () => {
    const { username, phone } = await withFactor('Uma vez')
    const older = totpCode(fromBase32(phone.segredo), stepAt(app.clock.now()))
    const codigo = phone.next()
    const statuses = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        const headers = { 'x-forwarded-for': `203.0.113.${i}` }
        return (await token(username, codigo, SENHA, headers)).status
      }),
    )
    expect(statuses.sort()).toEqual([200, 401, 401, 401])
    expect((await token(username, older)).status).toBe(401)
  })

  it('accepts each recovery code once, with any case and dashes', async () => {
    const { username, phone } = await withFactor('Papel')
    const [first = '', second = ''] = phone.recuperacao
    const statuses = await Promise.all(Array.from({ length: 3 }, async () => (await token(username, first)).status))
    expect(statuses.sort()).toEqual([200, 401, 401])
    const { status, body } = await token(username, second.toLowerCase().replaceAll('-', ' '))
    expect(status).toBe(200)
    const client = clientOf(app.url, body.access_token)
    expect((await me(client)).segundo_fator.codigos_restantes).toBe(8)
    const renewed = await change(client, { acao: 'novos_codigos', senha: SENHA })
    expect((await token(username, phone.recuperacao[2])).status).toBe(401)
    expect((await token(username, renewed.body.codigos_recuperacao?.[0])).status).toBe(200)
  })

  it('blocks a network after five wrong codes and the login after twenty; a recovery code still works', async () => {
    const { username, phone } = await withFactor('Palpite')
    const from = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` })
    const guess = async (n: number) => (await token(username, '1234567', SENHA, from(n))).status
    for (let i = 0; i < 5; i += 1) expect(await guess(1)).toBe(401)
    const refused = await token(username, phone.next(), SENHA, from(1))
    expect([refused.status, Number(refused.headers.get('retry-after')) > 60]).toEqual([429, true])
    for (let i = 0; i < 15; i += 1) expect(await guess(2 + (i % 3))).toBe(401)
    expect((await token(username, phone.next(), SENHA, from(9))).status).toBe(429)
    expect((await token(username, phone.recuperacao[0], SENHA, from(9))).status).toBe(200)
  })

  it('shows a second page without the password in the browser form', async () => {
    const { username, phone } = await withFactor('Página')
    const first = await send<string>(`${app.url}/login`, form({ username, password: SENHA }))
    expect([first.status, first.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    expect(first.body).toContain('autocomplete="one-time-code"')
    expect(first.body).not.toContain(SENHA)
    const bilhete = hidden(first.body, 'bilhete')
    const second = (codigo: string) => send<string>(`${app.url}/login/codigo`, form({ bilhete, codigo }))
    const wrong = await second('abc')
    expect([wrong.status, wrong.body]).toEqual([401, expect.stringContaining('role="alert"')])
    const entered = await second(phone.next())
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
    expect(entered.headers.get('set-cookie')).toContain('session=')

    const direct = await send(`${app.url}/login`, form({ username, password: SENHA, codigo: phone.next() }))
    expect([direct.status, direct.headers.get('location')]).toEqual([303, '/'])
    app.clock.advance(5 * 60_000)
    const late = await second(phone.next())
    expect([late.status, late.headers.get('location')]).toEqual([303, '/login?erro=codigo'])
    const forged = await send(`${app.url}/login/codigo`, form({ bilhete: 'v1.00000000.AAAA', codigo: phone.next() }))
    expect(forged.headers.get('location')).toBe('/login?erro=codigo')
    const crossSite = { ...form({ bilhete, codigo: '1' }), headers: { 'sec-fetch-site': 'cross-site' } }
    expect((await send(`${app.url}/login/codigo`, crossSite)).status).toBe(403)
  })

  it('works in the authorization of an agent: with the code at once, or on a second page', async () => {
    const { username, phone } = await withFactor('Agente')
    const { challenge } = newPkce()
    const request = { client_id: await newClient(app), redirect_uri: REDIRECT, code_challenge: challenge, state: 'x' }
    const url = `${app.url}/oauth/authorize`
    const asked = await send<TokenAnswer>(url, form({ ...request, username, password: SENHA }))
    expect(asked).toMatchObject({ status: 401, body: { error: 'access_denied', segundo_fator: true } })
    const direct = await send(url, form({ ...request, username, password: SENHA, codigo: phone.next() }))
    expect([direct.status, direct.headers.get('location')]).toEqual([303, expect.stringContaining('code=')])

    const first = await send<string>(url, form({ ...request, username, password: SENHA, etapa: 'consentimento' }))
    expect(first.status).toBe(401)
    const fields = Object.fromEntries(
      [...first.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name ?? '',
        value ?? '',
      ]),
    )
    const second = (codigo: string) => send<string>(`${url}/codigo`, form({ ...fields, codigo }))
    expect((await second('abc')).body).toContain('role="alert"')
    const consent = await second(phone.next())
    expect([consent.status, consent.body]).toEqual([200, expect.stringContaining('Autorizar este acesso?')])
    app.clock.advance(5 * 60_000)
    expect((await second(phone.next())).body).toContain('Entre outra vez')
  })

  it('audits the kind of factor, and never wrong codes', async () => {
    const { account, username, phone } = await withFactor('Registro')
    await token(username, 'abc')
    await token(username, phone.next())
    await token(username, phone.recuperacao[0])
    const log = await account.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?limit=3')
    expect(log.map(({ acao, objeto, depois }) => [acao, objeto, depois?.segundo_fator])).toEqual([
      ['entrar', 'sessao', 'recuperacao'],
      ['entrar', 'sessao', 'aplicativo'],
      ['criar', 'segundo_fator', undefined],
    ])
  })
})

const hidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''

describe('disabling the second factor', () => {
  it('requires the password', async () => {
    const { account, username } = await withFactor('Desliga')
    expect((await change(account.usuario, { acao: 'remover', senha: 'errada' })).status).toBe(422)
    expect((await token(username)).status).toBe(401)
    expect((await change(account.usuario, { acao: 'remover', senha: SENHA })).body.ligado).toBe(false)
    expect((await token(username)).status).toBe(200)
    for (const acao of ['remover', 'novos_codigos'])
      expect((await change(account.usuario, { acao, senha: SENHA })).status).toBe(409)
    expect(await backstage.db.selectFrom('codigos_recuperacao').select('usuario_id').execute()).not.toContainEqual({
      usuario_id: (await me(account.usuario)).id,
    })
  })

  it('for another login requires an Empresa above, and is audited', async () => {
    const above = await app.account('Acima')
    const own = await app.account('Dentro', above.admin)
    const peer = await (async () => {
      const body = { username: `par-${own.empresaId}`, senha: SENHA, papel: 'administrador', empresa_id: own.empresaId }
      await own.admin.expect(201, 'POST', '/api/v1/usuarios', body)
      return app.signIn(body.username)
    })()
    const reset = async (by: Client, of: number | null) =>
      (await by.send('DELETE', `/api/v1/usuarios/${of}/segundo-fator`)).status
    const ids = { usuario: (await me(own.usuario)).id, admin: (await me(own.admin)).id }
    expect(await reset(own.admin, ids.usuario)).toBe(409)
    for (const client of [own.usuario, own.admin]) await turnOn(app, client)
    const { admin: foreign } = await app.account('De fora')
    expect(await reset(foreign, ids.usuario)).toBe(404)
    expect(await reset(own.usuario, ids.usuario)).toBe(403)
    for (const by of [own.admin, peer]) expect(await reset(by, ids.admin)).toBe(403)
    expect(await reset(own.admin, ids.usuario)).toBe(204)
    expect((await own.usuario.send('GET', '/api/v1/me')).status).toBe(401)
    expect(await reset(above.admin, ids.admin)).toBe(204)
    expect((await token(`administrador-${own.empresaId}`)).status).toBe(200)
    const log = await above.admin.expect<RegistroAuditoria[]>(
      200,
      'GET',
      '/api/v1/auditoria?objeto=segundo_fator&acao=remover',
    )
    expect(log.map(({ objeto_id, username }) => [objeto_id, username])).toEqual([
      [ids.admin, `administrador-${above.empresaId}`],
      [ids.usuario, `administrador-${own.empresaId}`],
    ])
  })

  it('for an operator is possible only on the machine', async () => {
    const body = { username: 'plantao', senha: SENHA, papel: 'administrador', empresa_id: null }
    const { id } = await app.operator.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', body)
    await turnOn(app, await app.signIn('plantao'))
    const refused = await app.operator.send('DELETE', `/api/v1/usuarios/${id}/segundo-fator`)
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('na máquina') } })
    const own = (await me(app.operator)).id
    expect((await app.operator.send('DELETE', `/api/v1/usuarios/${own}/segundo-fator`)).status).toBe(403)
  })
})

it('refuses API keys on all these routes', async () => {
  const { admin, empresaId } = await app.account('Chaveiro')
  const { chave } = await admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', {
    nome: 'K',
    escopo: 'escrita',
  })
  const key = clientOf(app.url, chave)
  expect((await change(key, { acao: 'iniciar', senha: SENHA })).status).toBe(403)
  const patch = await key.send('PATCH', `/api/v1/empresas/${empresaId}`, { exigir_segundo_fator: true })
  expect(patch.status).toBe(403)
})
