import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { send } from '../../../test/clients/client.ts'
import {
  askToken,
  codeFields,
  newAgent,
  newClient,
  newCode,
  newPkce,
  REDIRECT,
  refreshFields,
  register,
} from '../../../test/clients/oauth-flow.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { findClient } from './clients-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

const exists = async (clientId: string) => (await findClient(backstage.db, clientId, app.clock.now())) !== undefined
const stored = async (clientId: string) =>
  (await backstage.db.selectFrom('clientes_oauth').select('id').where('client_id', '=', clientId).execute()).length > 0

describe('a registration', () => {
  it('returns the registered values and the granted ones', async () => {
    const since = Math.floor(app.clock.now() / 1000)
    const { status, body, headers } = await register<{ client_id_issued_at: number }>(app, {
      redirect_uris: [REDIRECT],
      client_name: ' Agente ',
    })
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Agente',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    expect(body.client_id_issued_at).toBeGreaterThanOrEqual(since)
    expect(body.client_id_issued_at).toBeLessThanOrEqual(app.clock.now() / 1000)
  })

  it('with unsupported values gets the supported ones (RFC 7591 section 3.2.1), and never a secret', async () => {
    const { status, body } = await register<object>(app, {
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['implicit', 'client_credentials'],
      response_types: ['token'],
      scope: 'openid admin',
      client_uri: 'https://claude.ai',
      logo_uri: 'javascript:alert(1)',
      software_statement: 'x',
      jwks: { keys: [] },
      client_id: 'meu',
      client_secret: 'segredo',
    })
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual([
      'client_id',
      'client_id_issued_at',
      'grant_types',
      'redirect_uris',
      'response_types',
      'token_endpoint_auth_method',
    ])
    expect(body).not.toMatchObject({ client_id: 'meu' })
  })

  it.each([
    [{}, 'redirect_uris', 'missing', 'invalid_redirect_uri'],
    [
      { redirect_uris: [REDIRECT], client_name: 'x'.repeat(121) },
      'client_name',
      'string_too_long',
      'invalid_client_metadata',
    ],
    [
      { redirect_uris: [`https://exemplo.br/${'x'.repeat(2000)}`] },
      'redirect_uris',
      'string_too_long',
      'invalid_redirect_uri',
    ],
    [
      { redirect_uris: Array.from({ length: 11 }, () => REDIRECT) },
      'redirect_uris',
      'too_long',
      'invalid_redirect_uri',
    ],
  ])('gives a 422 in both error formats for a missing or too long field (%#)', async (sent, field, type, error) => {
    const { status, body } = await register<{ detail: { loc: string[] }[] }>(app, sent)
    expect([status, body]).toMatchObject([
      422,
      { error, error_description: expect.stringContaining(field), detail: [{ type, msg: expect.any(String) }] },
    ])
    expect(body.detail[0]?.loc.slice(0, 2)).toEqual(['body', field])
  })

  it.each([
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: REDIRECT }, 'invalid_redirect_uri'],
    [{ redirect_uris: [7] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [''] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [REDIRECT, 'http://exemplo.br/volta'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [REDIRECT], client_name: 7 }, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT], client_name: ' ' }, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT], client_name: 'Claude\u202Eedualc' }, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT], client_name: 'Clau\u200Bde' }, 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
    ['x', 'invalid_client_metadata'],
  ])('gives a 400 and stores nothing for other errors (%#)', async (sent, error) => {
    const count = () => backstage.db.selectFrom('clientes_oauth').select('id').execute()
    const before = (await count()).length
    expect(await register(app, sent)).toMatchObject({ status: 400, body: { error } })
    expect((await count()).length).toBe(before)
  })

  it('is rejected if it is no JSON or too large', async () => {
    const post = (body: string, type = 'application/json') =>
      send(`${app.url}/oauth/register`, { method: 'POST', body, headers: { 'content-type': type } })
    const wrong = { status: 400, body: { error: 'invalid_client_metadata' } }
    expect(await post('{')).toMatchObject(wrong)
    expect(await post('redirect_uris=x', 'application/x-www-form-urlencoded')).toMatchObject(wrong)
    expect(await post(JSON.stringify({ x: 'x'.repeat(70_000) }))).toMatchObject({
      status: 413,
      body: { error: 'invalid_request' },
    })
  })

  it('is not audited, because unauthenticated requests must not fill the audit log', async () => {
    const count = () => backstage.db.selectFrom('auditoria').select('id').execute()
    const before = await count()
    await newClient(app)
    expect(await count()).toEqual(before)
  })

  it('is limited per network', async () => {
    const at = (address: string) =>
      send<{ error?: string }>(`${app.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ redirect_uris: ['javascript:x'] }),
      })
    let last = await at('2001:db8::1')
    for (let i = 0; i < 110 && last.status === 400; i += 1) last = await at(`2001:db8::${i}`)
    expect([last.status, last.body.error, Number(last.headers.get('retry-after')) > 0]).toEqual([
      429,
      'temporarily_unavailable',
      true,
    ])
    expect((await at('2001:db8:1::1')).status).toBe(400)
  })
})

describe('a client', () => {
  it('expires after a day without an authorization', async () => {
    const clientId = await newClient(app)
    app.clock.advance(DAY - 10_000)
    expect(await exists(clientId)).toBe(true)
    app.clock.advance(20_000)
    expect([await exists(clientId), await stored(clientId)]).toEqual([false, true])
    await expect(newCode(app, clientId, newPkce())).rejects.toThrow(/authorization: 4/)
    expect((await askToken(app, refreshFields(clientId, 'x'))).body.error).toBe('invalid_client')
    await newClient(app)
    expect(await stored(clientId)).toBe(false)
  })

  it('stays during its authorization and 90 days after its last use', async () => {
    const agent = await newAgent(app)
    // Its refresh token expires after 30 days, its authorization after 180.
    app.clock.advance(179 * DAY)
    expect(await exists(agent.clientId)).toBe(true)
    app.clock.advance(2 * DAY)
    expect(await exists(agent.clientId)).toBe(false)
    await newClient(app)
    expect(await stored(agent.clientId)).toBe(false)
  })

  it('expires 90 days after its last use when its authorization was revoked', async () => {
    const agent = await newAgent(app)
    await askToken(app, codeFields(agent.clientId, agent.code, agent.pkce))
    app.clock.advance(90 * DAY - 60_000)
    expect(await exists(agent.clientId)).toBe(true)
    app.clock.advance(120_000)
    expect(await exists(agent.clientId)).toBe(false)
  })

  it('is deleted at the limit if it was never used; used clients stay', async () => {
    const agent = await newAgent(app)
    const first = await newClient(app)
    const now = app.clock.now()
    const many = Array.from({ length: 10_000 }, (_, i) => ({
      client_id: `cliente-${i}`,
      nome: null,
      redirect_uris_json: '[]',
      criado_em: now,
      usado_em: null,
    }))
    for (let i = 0; i < many.length; i += 1000)
      await backstage.db
        .insertInto('clientes_oauth')
        .values(many.slice(i, i + 1000))
        .execute()
    const last = await newClient(app)
    expect([await stored(first), await stored(last), await stored(agent.clientId)]).toEqual([false, true, true])
    await backstage.db.deleteFrom('clientes_oauth').where('client_id', 'like', 'cliente-%').execute()
  })
})

it('deletes expired rows after their retention time, and no valid ones', async () => {
  const { db } = backstage
  const [agent, unused] = [await newAgent(app), await newClient(app)]
  await newCode(app, unused, newPkce())
  const counts = async () => ({
    acessos: (await db.selectFrom('acessos_oauth').select('jti').execute()).length,
    renovacoes: (await db.selectFrom('renovacoes_oauth').select('token_hash').execute()).length,
    codigos: (await db.selectFrom('codigos_oauth').select('codigo_hash').execute()).length,
    autorizacoes: (await db.selectFrom('autorizacoes_oauth').select('id').execute()).length,
  })
  app.clock.advance(2 * DAY)
  await newClient(app)
  const { acessos, codigos } = await counts()
  expect([acessos, codigos]).toEqual([0, 0])
  expect((await askToken(app, refreshFields(agent.clientId, agent.refresh_token))).status).toBe(200)
  app.clock.advance(300 * DAY)
  await newClient(app)
  expect(await counts()).toEqual({ acessos: 0, renovacoes: 0, codigos: 0, autorizacoes: 0 })
})
