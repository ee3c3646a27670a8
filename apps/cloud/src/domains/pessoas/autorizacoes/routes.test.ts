import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Autorizacao } from '@vigia/contracts/autorizacoes'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import {
  askToken,
  codeFields,
  isTaken,
  loginId,
  newClient,
  newCode,
  newPkce,
  REDIRECT,
  refreshFields,
} from '../../../test/clients/oauth-flow.ts'
import { type Account, ADMIN, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const own = fixture(() => app.account('Própria'))
const below = fixture(() => app.account('Abaixo', own.admin))
const foreign = fixture(() => app.account('Alheia'))

const DAY = 86_400_000
const path = '/api/v1/autorizacoes'
const list = async (by: Client, query = '') => by.expect<Autorizacao[]>(200, 'GET', `${path}${query}`)
const ids = async (by: Client, query = '') => (await list(by, query)).map(({ id }) => id)
const usuarioOf = ({ empresaId }: Account) => `usuario-${empresaId}`
const adminOf = ({ empresaId }: Account) => `administrador-${empresaId}`

interface AgentRequest {
  readonly nome?: string
  readonly redirects?: readonly string[]
  readonly scope?: string
}

/** A login authorizes a new agent, which has not fetched its tokens yet. */
async function allow(username: string, { nome = 'Claude', redirects = [REDIRECT], scope = 'mcp' }: AgentRequest = {}) {
  const clientId = await newClient(app, redirects, nome)
  const pkce = newPkce()
  const code = await newCode(app, clientId, pkce, { username, scope })
  const [newest] = await list(await app.signIn(ADMIN.username, ADMIN.password), '?limit=1')
  if (!newest) throw new Error('the new authorization is not in the list')
  return { id: newest.id, fields: codeFields(clientId, code, pkce), clientId }
}

/** A new agent with its tokens. */
async function grant(username: string, request: AgentRequest = {}) {
  const { id, fields, clientId } = await allow(username, request)
  const { status, body } = await askToken(app, fields)
  if (status !== 200) throw new Error(`exchange: ${status} ${JSON.stringify(body)}`)
  return { id, clientId, access: body.access_token, refresh: body.refresh_token }
}

describe('the list of agents with access', () => {
  it('contains name, redirect hosts, login, scope and end of each authorization', async () => {
    const account = await app.account('Uma')
    const redirects = [
      REDIRECT,
      'http://localhost/cb',
      'https://vscode.dev/redirect',
      'https://vscode.dev/outro',
      'cursor://anysphere.cursor/cb',
    ]
    const { id, clientId } = await allow(usuarioOf(account), { nome: '<b>Claude</b>', redirects, scope: 'mcp:leitura' })
    const [shown] = await list(account.admin)
    expect(shown).toEqual({
      id,
      cliente_nome: '<b>Claude</b>',
      client_id: clientId,
      redirect_hosts: ['localhost', 'vscode.dev', 'cursor:'],
      usuario_id: await loginId(account.admin, usuarioOf(account)),
      username: usuarioOf(account),
      escopo: 'mcp:leitura',
      alcance: 'propria',
      efeitos: [],
      criada_em: expect.stringMatching(/Z$/),
      usada_em: null,
      expira_em: expect.stringMatching(/Z$/),
    })
    expect(Date.parse(shown?.expira_em ?? '') - Date.parse(shown?.criada_em ?? '')).toBe(180 * DAY)
  })

  it('is paged, newest first, with the complete query in the link', async () => {
    const account = await app.account('Três')
    const all = [await grant(adminOf(account)), await grant(usuarioOf(account)), await grant(adminOf(account))]
    const page = await account.admin.send<Autorizacao[]>('GET', `${path}?empresa_id=${account.empresaId}&limit=2`)
    expect(page.headers.get('x-total-count')).toBe('3')
    const next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    expect(next).toMatch(/^\/api\/v1\/autorizacoes\?empresa_id=\d+&limit=2&cursor=[\w-]+$/)
    const last = await account.admin.send<Autorizacao[]>('GET', next)
    expect([...page.body, ...last.body].map(({ id }) => id)).toEqual(all.map(({ id }) => id).reverse())
    expect(last.headers.get('link')).toBeNull()
    for (const query of ['limit=0', 'limit=201', 'offset=-1', 'empresa_id=x'])
      expect((await own.admin.send('GET', `${path}?${query}`)).status).toBe(422)
  })

  it('shows a usuario its own agents, an administrador those in its scope, and the operator all', async () => {
    const { id: byOperator } = await grant(ADMIN.username)
    const { id: byUsuario } = await grant(usuarioOf(own))
    const { id: byAdmin } = await grant(adminOf(own))
    const { id: byBelow } = await grant(usuarioOf(below))
    const { id: byForeign } = await grant(usuarioOf(foreign))
    expect(await ids(own.usuario)).toEqual([byUsuario])
    expect(await ids(own.admin)).toEqual([byBelow, byAdmin, byUsuario])
    expect(await ids(below.admin)).toEqual([byBelow])
    expect(await ids(foreign.admin)).toEqual([byForeign])
    expect((await ids(app.operator)).slice(0, 5)).toEqual([byForeign, byBelow, byAdmin, byUsuario, byOperator])
    expect(await ids(own.admin, `?empresa_id=${below.empresaId}`)).toEqual([byBelow])
    expect(await ids(own.usuario, `?empresa_id=${own.empresaId}`)).toEqual([byUsuario])
    for (const empresa of [foreign.empresaId, 999_999])
      expect((await own.admin.send('GET', `${path}?empresa_id=${empresa}`)).status).toBe(404)
    expect((await fetch(`${app.url}${path}`)).status).toBe(401)
  })

  it('omits authorizations of an inactive login', async () => {
    const account = await app.account('Desligada')
    await grant(usuarioOf(account))
    const id = await loginId(account.admin, usuarioOf(account))
    await account.admin.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { ativo: false })
    expect(await ids(account.admin)).toEqual([])
  })
})

describe('revoking access', () => {
  it('takes effect at once, works only once, and is audited', async () => {
    const account = await app.account('Quatro')
    const { id, clientId, access, refresh } = await grant(usuarioOf(account), { nome: 'ChatGPT' })
    expect(await isTaken(app, access)).toBe(true)
    await account.admin.expect(204, 'DELETE', `${path}/${id}`)
    expect(await ids(account.usuario)).toEqual([])
    expect(await isTaken(app, access)).toBe(false)
    expect((await askToken(app, refreshFields(clientId, refresh))).body.error).toBe('invalid_grant')
    expect((await account.admin.send('DELETE', `${path}/${id}`)).status).toBe(404)
    const query = '?objeto=autorizacao_oauth&acao=revogar'
    expect(await account.admin.expect<RegistroAuditoria[]>(200, 'GET', `/api/v1/auditoria${query}`)).toMatchObject([
      {
        empresa_id: account.empresaId,
        username: adminOf(account),
        canal: 'api',
        objeto_id: id,
        objeto_nome: 'ChatGPT',
        antes: { client_id: clientId, username: usuarioOf(account), escopo: 'mcp' },
        depois: null,
      },
    ])
  })

  it('also stops an agent that has not fetched its tokens yet', async () => {
    const { id, fields } = await allow(usuarioOf(own))
    await own.admin.expect(204, 'DELETE', `${path}/${id}`)
    expect((await askToken(app, fields)).body.error).toBe('invalid_grant')
  })

  it('requires an administrador with the authorization in scope, else 404', async () => {
    const byUsuario = await grant(usuarioOf(own))
    const byAbove = await grant(adminOf(own))
    const byForeign = await grant(usuarioOf(foreign))
    const byOperator = await grant(ADMIN.username)
    expect((await own.usuario.send('DELETE', `${path}/${byUsuario.id}`)).status).toBe(403)
    const missing = await own.admin.send('DELETE', `${path}/999999`)
    expect(missing.status).toBe(404)
    for (const [by, { id }] of [
      [own.admin, byForeign],
      [own.admin, byOperator],
      [below.admin, byAbove],
    ] as const)
      expect(await by.send('DELETE', `${path}/${id}`)).toMatchObject({ status: 404, body: missing.body })
    expect((await fetch(`${app.url}${path}/${byUsuario.id}`, { method: 'DELETE' })).status).toBe(401)
    for (const { access } of [byUsuario, byAbove, byForeign, byOperator]) expect(await isTaken(app, access)).toBe(true)
  })
})

describe('an agent is in the list while one of its credentials is valid', () => {
  const now = async (account: Account) => ids(await app.signIn(adminOf(account)))

  it('a code, for one minute', async () => {
    const account = await app.account('Código')
    const { id } = await allow(usuarioOf(account))
    expect(await now(account)).toEqual([id])
    app.clock.advance(61_000)
    expect(await now(account)).toEqual([])
  })

  it('tokens, up to 30 days after the last renewal and 180 days in total', async () => {
    const account = await app.account('Tokens')
    const { id, clientId, ...first } = await grant(usuarioOf(account))
    const left = await grant(usuarioOf(account))
    let { refresh } = first
    for (let day = 29; day < 180; day += 29) {
      app.clock.advance(29 * DAY)
      const renewed = await askToken(app, refreshFields(clientId, refresh))
      expect(renewed.status).toBe(200)
      refresh = renewed.body.refresh_token
      expect(await now(account)).toEqual(day === 29 ? [left.id, id] : [id])
    }
    app.clock.advance(7 * DAY)
    expect((await askToken(app, refreshFields(clientId, refresh))).status).toBe(400)
    expect(await now(account)).toEqual([])

    // No request occurs meanwhile, which would delete expired rows.
    await grant(usuarioOf(account))
    app.clock.advance(31 * DAY)
    expect(await now(account)).toEqual([])
  })
})
